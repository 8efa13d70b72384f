package com.acme.web;

import java.util.List;
import static org.junit.Assert.*;
import static com.acme.Util.helper;
import com.acme.store.*;

@Controller("/x")
public class Svc<T> extends Base<T> implements IFace, Other.Inner {
    @Autowired private Repo<User> repo;
    private final Http http = new Http(1);
    static int count = compute();
    public Svc(Repo<User> repo, List<String> names) { super(repo); this.repo = repo; this.cache = new Cache(); }
    @Override
    public User load(String id, final Client... c) throws IOException {
        User u = repo.find(id);
        var x = new Outer.Inner();
        var y = Factory.create(1);
        this.http.get().body(u);
        helper(u);
        Util.run(u::getName, Svc::map);
        Object[] arr = new Foo[3];
        for (Item i : items) { i.go(); }
        Runnable r = () -> go();
        return super.load(id);
    }
    enum Kind { A(1) { void f() {} } }
    interface I2 extends I1, pkg.I0 {}
    record P(int a, Foo b) implements IFace {}
}
