"""The names behind the path categories: which folders, files and suffixes mark what. Data only; see `paths`.

Sources: the default layouts of each language's build tool and test runner (pytest, unittest, go test, Cargo,
Maven, Gradle, Jest, Vitest, Mocha, Playwright, RSpec, Minitest, PHPUnit, XCTest, ScalaTest, ExUnit, Busted,
hspec, GoogleTest, Bats, dart test), the vendoring folders of package managers, and the output folders of
build systems.
"""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The words of a table, in order."""
    return tuple(text.split())


def names(text: str) -> frozenset[str]:
    """The words of a table, as a set."""
    return frozenset(text.split())


CATEGORIES: tuple[str, ...] = words("test example docs vendor build archive generated compat config init type_stub")
"""Every category a path can have."""

JVM_EXTENSIONS: frozenset[str] = frozenset({"java", "kt", "kts", "scala", "groovy", "clj"})
JVM_SOURCE_ROOTS: frozenset[str] = frozenset({"java", "kotlin", "scala", "groovy", "clojure"})
JVM_PACKAGE_HEADS: frozenset[str] = names("com org net io dev edu gov me de fr cn")
"""From these on, every folder is a package name: ``com/example/demo/build`` says nothing about its role."""

SOURCE_ROOTS: frozenset[str] = names("src source sources lib libs pkg internal cmd app")
"""Below these, ambiguous names (``build``, ``out``, ``archive``) are ordinary packages
(``src/archive/zip``)."""

AMBIGUOUS_DEPTH = 2
"""Ambiguous names count up to this index (``packages/web/dist``): tool output lies near the top."""

TEST_DIRS: frozenset[str] = names(
    "test tests __tests__ __test__ __mocks__ __snapshots__ __fixtures__ testdata test_data test-data "
    "testsuite testsuites test-suite testthat unittest unittests testcases e2e cypress fixtures mocks "
    "testutil testutils spec-helpers inttest autotests"
)
TEST_WORDS: frozenset[str] = frozenset({"test", "tests"})
"""A folder whose first or last word is one of these holds tests: ``unit_tests``, ``Shop.Tests``."""

SPEC_DIRS: frozenset[str] = frozenset({"spec", "specs"})
SPEC_EXTENSIONS: frozenset[str] = names("rb rake erb js jsx ts tsx mjs cjs coffee lua php cr moon hs ex exs")
"""Languages in which ``spec/`` means tests; elsewhere it may hold a specification."""

CASE_SENSITIVE_TEST_DIRS: frozenset[str] = frozenset({"hs", "lhs", "pm"})
"""Languages with a module namespace ``Test`` (``Test/QuickCheck.hs``): only the lower-case folder counts."""

TEST_FILES: frozenset[str] = names(
    "conftest.py tests.py test.py spec_helper.rb rails_helper.rb test_helper.rb test_helper.exs "
    "runtests.jl runtests.py tests.rs test.rs spec.hs test.js tests.js test.ts test.sh test.zig "
    "tests.zig test.c tests.c test.cpp tests.cpp test.lua jest.setup.js jest.setup.ts vitest.setup.ts "
    "setuptests.js setuptests.ts doctests.hs doctest.hs"
)
TEST_SUFFIX_WORDS: frozenset[str] = frozenset({"test", "tests", "unittest", "unittests", "testcase", "testcases"})
"""Last word of a test file's stem: ``x_test.go``, ``FooTests.swift``, ``x-test.js``, ``x_unittest.cc``."""

TEST_PREFIX_WORDS: frozenset[str] = frozenset({"test", "tst"})
"""First word, set apart by ``_`` or ``-``: ``test_x.py``, ``test-x.c``, ``tst_x.cpp`` (Qt)."""

CAMEL_TEST_PREFIX_EXTENSIONS: frozenset[str] = frozenset({"java", "groovy"})
"""Languages whose test runner takes ``TestFoo`` as well as ``FooTest`` (Maven's default includes)."""

SPEC_SUFFIXES: dict[str, frozenset[str]] = {
    "spec": SPEC_EXTENSIONS | {"kt", "scala", "groovy", "swift", "cs", "java"},
    "specs": frozenset({"cs", "scala", "kt", "js", "ts", "rb"}),
    "suite": frozenset({"scala", "erl"}),
    "facts": frozenset({"cs"}),
    "cy": frozenset({"js", "ts", "jsx", "tsx"}),
    "e2e": frozenset({"js", "ts", "jsx", "tsx"}),
    "unit": frozenset({"js", "ts"}),
}
"""Last word of the stem that marks a test in these languages only."""

TEST_EXTENSIONS: frozenset[str] = frozenset({"bats", "phpt", "feature", "snap", "t"})

EXAMPLE_DIRS: frozenset[str] = names(
    "example examples _example _examples sample samples demo demos tutorial tutorials playground "
    "playgrounds cookbook quickstart quickstarts getting-started showcase benchmark benchmarks bench "
    "benches stories __stories__"
)
"""Code that uses the project rather than being it; benchmarks count here."""
EXAMPLE_DIR_WORDS: frozenset[str] = frozenset({"example", "examples", "samples", "demo", "demos", "tutorials"})
EXAMPLE_FILE_WORDS: frozenset[str] = frozenset({"example", "examples", "demo", "stories"})

DOCS_DIRS: frozenset[str] = names(
    "doc docs documentation docs_src docs-src doc_src apidocs api-docs javadoc wiki rfcs adr adrs "
    "changelog changelogs changes changelog.d releasenotes release-notes release_notes whatsnew "
    "newsfragments .changeset"
)
DOCS_EXTENSIONS: frozenset[str] = names("md mdx markdown rst adoc asciidoc txt org rdoc textile pod tex texi 1 3")
DOCS_STEMS: frozenset[str] = names(
    "readme changelog changes history news license licence copying notice authors contributors "
    "contributing maintainers code_of_conduct security upgrading todo thanks"
)
"""Documentation by name where the file has no extension (``LICENSE``, ``AUTHORS``)."""

VENDOR_DIRS: frozenset[str] = names(
    "vendor vendors vendored _vendor _vendored _vendored_packages third_party third-party thirdparty "
    "third_parties 3rdparty 3rd_party 3rd-party 3p node_modules bower_components jspm_packages "
    "site-packages dist-packages pods carthage godeps externals .yarn elm-stuff web_modules .bundle "
    "vcpkg_installed subprojects submodules"
)
AMBIGUOUS_VENDOR_DIRS: frozenset[str] = frozenset({"deps", "extern", "external", "contrib-libs", "dependencies"})

BUILD_DIRS: frozenset[str] = names(
    "_build cmake-build-debug cmake-build-release .next .nuxt .output .svelte-kit .gradle deriveddata "
    ".dart_tool .tox .nox .venv venv __pycache__ htmlcov dist-newstyle .stack-work zig-out zig-cache "
    ".zig-cache .parcel-cache .turbo .eggs storybook-static"
)
AMBIGUOUS_BUILD_DIRS: frozenset[str] = names("build builds dist out target bin obj output coverage")

ARCHIVE_DIRS: frozenset[str] = names(
    "archived attic graveyard obsolete unused _archive _archived _old old_code dead_code"
)
AMBIGUOUS_ARCHIVE_DIRS: frozenset[str] = frozenset({"archive", "archives", "old", "backup", "backups", "bak"})
ARCHIVE_EXTENSIONS: frozenset[str] = frozenset({"bak", "old", "orig", "rej", "save"})

GENERATED_DIRS: frozenset[str] = names(
    "generated __generated__ _generated autogenerated auto_generated autogen gen gen-src "
    "generated-sources generated-src generated_src codegen_output"
)
GENERATED_SUFFIXES: tuple[str, ...] = words(
    "_pb2.py _pb2_grpc.py _pb2.pyi .pb.go .pb.gw.go .pb.h .pb.cc .pb.c .pb.swift _grpc.pb.go _pb.js "
    "_pb.ts _pb.d.ts _pb.rb .pb.dart .pbenum.dart .g.dart .freezed.dart .gr.dart .mocks.dart .gen.go "
    "_gen.go .gen.ts .gen.py .g.cs .g.i.cs .designer.cs .generated.cs .generated.ts .generated.js "
    ".generated.go .generated.swift .generated.py .generated.h .generated.rs _generated.go "
    "_generated.rs _generated.py _generated.ts _generated.h .min.js .min.css .bundle.js .js.map "
    ".css.map .tab.c .tab.h .yy.c .lock -lock.json -lock.yaml go.sum bindata.go"
)
DATA_FILES: frozenset[str] = names(
    "mime.types magic.mime words words.txt wordlist wordlist.txt wordlist.csv word_list.txt dictionary.txt "
    "stopwords stopwords.txt stop_words.txt stop-words.txt stopwords.json common-passwords.txt passwords.txt "
    "public_suffix_list.dat effective_tld_names.dat top-level-domains.txt emoji-data.txt unicodedata.txt "
    "spelling_wordlist"
)
DATA_EXTENSIONS: frozenset[str] = names("dic aff wordlist dict lst tsv csv")
"""Tables and lists of words: most are made by tools, none says what code does. They count as generated."""

CATALOGUE_EXTENSIONS: frozenset[str] = names("po pot mo xlf xliff")
CATALOGUE_DIRS: frozenset[str] = names("locale locales i18n l10n translations lang langs")
CATALOGUE_DATA: frozenset[str] = names("json yml yaml")
"""Catalogues of translations repeat every message of a program in many languages; in a folder of translations data
files are such too. They count as generated."""

GENERATED_PREFIXES = ("zz_generated", "moc_", "qrc_", "ui_generated")

COMPAT_DIRS: frozenset[str] = names(
    "compat _compat compatibility legacy _legacy deprecated _deprecated polyfill polyfills shim shims "
    "backport backports _backports"
)
COMPAT_STEMS: frozenset[str] = names(
    "compat _compat py3compat py2compat legacy _legacy deprecated _deprecated polyfill polyfills shim shims six"
)

CONFIG_DIRS: frozenset[str] = names(
    ".github .gitlab .circleci .buildkite .azure .vscode .idea .devcontainer .husky .config"
)
CONFIG_EXTENSIONS: frozenset[str] = names(
    "toml yaml yml json jsonc json5 ini cfg conf properties env editorconfig gradle cmake bazel bzl sbt "
    "gemspec podspec csproj vcxproj sln props targets plist xcconfig nix mk mak cabal"
)
CONFIG_FILES: frozenset[str] = names(
    "makefile gnumakefile dockerfile containerfile jenkinsfile vagrantfile procfile gemfile rakefile "
    "brewfile podfile fastfile justfile cmakelists.txt meson.build meson_options.txt build.zig "
    "build.zig.zon package.swift mix.exs rebar.config pom.xml build.xml setup.py setup.cfg noxfile.py "
    "gruntfile.js gulpfile.js requirements.txt constraints.txt pipfile manifest.in go.mod go.work build "
    "workspace module.bazel configure.ac makefile.am robots.txt codeowners .gitignore .gitattributes "
    ".dockerignore .npmrc .eslintrc .prettierrc .babelrc .editorconfig .gitmodules .luacheckrc "
    ".rubocop.yml .travis.yml build.gradle.kts settings.gradle.kts"
)
CONFIG_STEM_SUFFIXES: tuple[str, ...] = (
    ".config",
    ".conf",
    ".eslintrc",
    ".prettierrc",
    ".babelrc",
    ".stylelintrc",
)
"""``vite.config.ts``, ``karma.conf.js``: the stem's end, where the extension is a script's."""

INIT_FILES: frozenset[str] = frozenset({"__init__.py", "__init__.pyi", "package-info.java", "module-info.java"})
"""Package markers, mostly re-exports. ``index.ts``, ``mod.rs``, ``lib.rs`` often hold real code: not
counted."""

FILE_EXTENSIONS: frozenset[str] = names(
    "py pyi js jsx ts tsx mjs cjs vue svelte go rs java kt kts c h cc cpp cxx hpp cs rb php swift scala sh "
    "bash lua ex exs hs zig sql dart md rst txt json yaml yml toml ini cfg xml html css scss "
    "lock ipynb proto "
    "tf com org io net"
)
"""Endings that make ``config.py`` a file and ``example.com`` a host in a question, not a dotted name."""
