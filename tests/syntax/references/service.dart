import 'package:acme/util.dart' as u show helper;
import '../store.dart';
export 'src/x.dart' show Foo;
part 'a.g.dart';
@immutable
class Svc<T> extends Base<T> with Logs, Ns.Mix implements IFace {
  final Repo<User> repo;
  late Http http = Http(1);
  Client? client;
  Svc(this.repo, {required Other other}) : cache = Cache(), super(repo);
  factory Svc.of(int x) => Svc(Repo(), other: Other());
  Future<User?> load(String id, {Client? c}) async {
    final u = await repo.find(id);
    Foo x = U.make(1);
    var y = new Bar(2);
    http.get().body(u);
    helper(u, (z) => z.go());
    list.map(handler).toList();
    u?.name.trim();
    this.http..post()..close();
    return super.load(id);
  }
}
extension Ext on String { Foo ext() => Foo.named(this); }
mixin Logs on Base {}
void handler(int x) {}
class W extends StatelessWidget { Widget build(BuildContext c) => Center(child: const Text('x')); }
