using System;
using System.Linq;
using static Acme.Util;
using Json = Newtonsoft.Json.JsonConvert;
namespace Acme.Web;

[ApiController, Route("x")]
public class Svc<T> : Base<T>, IFace, Ns.Other where T : Foo
{
    private readonly IRepo<User> _repo;
    public Http Http { get; set; } = new Http();
    private Cache cache = new();
    public Svc(IRepo<User> repo, Opt? o) : base(repo) { _repo = repo; this.Http = new Http(1); }
    public async Task<User> Load(string id)
    {
        var u = await _repo.Find(id);
        Foo x = Factory.Create<Foo>(1);
        var y = new Ns.Bar { A = 1 };
        this.Http.Get().Body(u);
        Helper(u);
        list.Select(Handler).Where(z => z.Go());
        u?.Name.Trim();
        int.TryParse(id, out var n);
        foreach (Item i in items) { i.Do(); }
        return base.Load(id) ?? throw new ArgumentException(nameof(id));
    }
    public static Foo Handler(Bar b) => new(b);
}
public interface I2 : I1 {}
public record P(int A, Foo B) : IFace;
