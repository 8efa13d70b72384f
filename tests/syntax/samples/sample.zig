//! Allocates pages.
const std = @import("std");
const Page = @import("page.zig").Page;

pub const limit: usize = 10;
var counter: u32 = 0;

/// A pool.
pub const Pool = struct {
    pages: []Page,
    size: usize = 0,

    pub fn init(allocator: std.mem.Allocator) Pool {
        const local = 1;
        return Pool{ .pages = &.{} };
    }

    fn grow(self: *Pool) !void {}
};

const Kind = enum { small, large };

const Value = union(enum) { int: i64, none };

const Failure = error{ OutOfPages, Broken };

pub fn main() !void {
    return;
}

test "pool grows" {
    try std.testing.expect(true);
}
