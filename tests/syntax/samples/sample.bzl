"""Rules for documents."""

load(":tools.bzl", "convert", show = "preview")

KINDS = ["html", "pdf"]

def _impl(ctx):
    """Run the tool."""
    return [convert(ctx)]

document = rule(implementation = _impl)

def pages(name, srcs):
    """One document a page."""
    document(name = name, srcs = srcs)

pages(
    name = "handbook",
    srcs = glob(["*.md"]),
)
