load("//tools:defs.bzl", "convert", show = "preview")
load(":near.bzl", "helper")
load("@far//lib:far.bzl", "far")
def _impl(ctx):
    convert(ctx, 1)
    far(helper)
document = rule(implementation = _impl)
show(name = "one", srcs = glob(["*"]))
