package com.acme.web
import java.util.List
import com.acme.store.*
import com.acme.Util as U

@Service
class Svc(private val repo: Repo<User>, other: Other) : Base(repo), IFace {
    @Inject lateinit var http: Http
    private val cache = Cache(1)
    val lz: Foo by lazy { Foo() }
    fun load(id: String, c: Client?): User? {
        val u = repo.find(id)
        val x: Foo.Bar = U.make(1)
        http.get().body(u)
        helper(u) { it.go() }
        list.map(::handler).filter { x -> x.ok }
        u?.name!!.trim()
        this.http.post()
        super.load(id)
        return Foo.create<Int>(2)
    }
    companion object { fun of(): Svc = Svc(Repo(), Other()) }
}
object Single : IFace
interface I2 : I1
fun String.ext(x: Int): Foo = Foo(x)
fun handler(x: Int) {}
