import Foundation
import struct Acme.Util
@testable import Web
@MainActor
final class Svc<T>: Base<T>, IFace, Ns.Other {
    private let repo: Repo<User>
    var http = Http(timeout: 1)
    var client: Client?
    @Published var items: [Item] = []
    init(repo: Repo<User>, other o: Other) {
        self.repo = repo
        self.cache = Cache()
        super.init(repo)
    }
    func load(_ id: String, c: Client) async throws -> User? {
        let u = try await repo.find(id)
        let x: Foo.Bar = U.make(1)
        guard let y = c.get() else { return nil }
        http.get().body(u)
        helper(u) { $0.go() }
        list.map(handler).filter { $0.ok }
        u?.name!.trim()
        Self.audit(u)
        self.http.post()
        return super.load(id)
    }
    static func audit(_ u: User) -> Foo { Foo.shared.run(u) }
}
extension Svc: Codable, Ns.Hash { func enc() { encode() } }
protocol P2: P1 { func f() -> Foo }
struct S: View { var body: some View { Text("x").padding(1) } }
func handler(x: Int) {}
let std = Svc<Int>(repo: r)
