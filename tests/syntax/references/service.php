<?php
namespace App\Http;
use App\Models\User;
use App\Models\{Post, Comment as C};
use function App\helper;
use const App\X;
require_once __DIR__ . '/boot.php';
#[Route("/x")]
final class Svc extends Base implements IFace, \Ns\Other {
    use Loggable, Cacheable;
    private ?Repo $repo;
    private static Http $http;
    public function __construct(private readonly UserRepo $users, Opt|null $o = null) {
        parent::__construct($o);
        $this->repo = new Repo(1);
        $this->cache = $o;
    }
    public function load(string $id, Client ...$c): ?User {
        $u = $this->repo->find($id);
        $x = new \App\Bar($id);
        $y = Factory::create(1);
        self::audit($u); static::boot();
        helper($u);
        $u?->getName()->trim();
        array_map([$this, 'go'], $c);
        $f = $this->go(...);
        foreach ($items as $i) { $i->run(); }
        User::class;
        return User::query()->where('x', 1)->first();
    }
    public static function audit(User $u): static { return $u; }
}
function top(Foo $f): Foo { return Svc::audit($f); }
