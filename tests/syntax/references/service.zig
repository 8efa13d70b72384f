const std = @import("std");
const util = @import("lib/util.zig");
const Repo = util.store.Repo;
pub const Svc = struct {
    repo: *Repo,
    http: ?Http = null,
    pub fn init(alloc: std.mem.Allocator, r: *Repo) !Svc {
        const h = Http.init(1);
        var x: Foo = undefined;
        const y = Bar{ .a = 1 };
        x.run(&h, handler);
        try self.load(2);
        return Svc{ .repo = r };
    }
    fn load(self: *Svc, id: u32) Error!?User {
        const u = try self.repo.find(id);
        helper(u);
        std.debug.print("x", .{});
        return u orelse Svc.none();
    }
};
fn handler(x: i32) void {}
test "x" { _ = try Svc.init(std.testing.allocator, undefined); }
