package com.acme.web
import java.util.List
import com.acme.store._
import com.acme.{Util => U, Other}
import cats.syntax.all.*
@Service
class Svc[T](private val repo: Repo[User], other: Other) extends Base[T](repo) with IFace with Ns.Del {
  val http: Http = new Http(1)
  private val cache = Cache(1)
  lazy val y = Foo.create[Int](2)
  def load(id: String, c: Option[Client]): Either[Err, User] = {
    val u = repo.find(id)
    http.get().body(u)
    helper(u) { x => x.go() }
    list.map(handler).filter(_.ok)
    u map handler
    new Ns.Bar(1) with Baz
    this.http.post()
    super.load(id)
    for { a <- repo.all; b = a.x(1) } yield b.run
    u match { case Foo(x) => x.go() }
  }
}
object Svc extends IFace { def of(): Svc = new Svc(new Repo, Other()); def apply(x: Int) = of() }
trait I2 extends I1 { def f: Foo }
given Show[Foo] with { def show(f: Foo) = f.toString }
