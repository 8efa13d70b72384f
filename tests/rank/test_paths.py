"""One rule set of path categories: each language's conventions, and names that only look like them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.rank.path_rules import CATEGORIES
from fourfold.rank.paths import categories, is_test_path

TESTS = """
tests/test_client.py tests/helpers.py pkg/test_x.py pkg/x_test.py conftest.py app/tests.py pkg/tests/data.json
src/__tests__/App.tsx src/App.test.tsx src/app.spec.ts e2e/login.ts cypress/a.js test/index.js test-fetch.js
x.cy.ts src/__mocks__/fs.js src/__snapshots__/a.snap a/b.e2e.ts lib/x-test.js
pkg/x_test.go pkg/testdata/a.go tests/it.rs src/tests.rs src/parser/tests/mod.rs crates/a/src/x_tests.rs
src/test/java/com/shop/OrderTest.java src/test/java/com/shop/Helper.java app/FooTest.java app/TestFoo.java
app/FooTests.java app/FooTestCase.java app/OrderServiceIT.java src/commonTest/kotlin/A.kt src/androidTest/A.kt
app/FooSpec.kt core/src/test/scala/A.scala app/FooSuite.scala app/FooSpec.groovy
Shop.Tests/OrderTests.cs Shop/OrderTest.cs Shop/OrderFacts.cs Tests/AppTests/LoginTests.swift App/FooSpec.swift
spec/models/user_spec.rb spec/support/x.rb test/models/user_test.rb test/test_helper.rb
spec_helper.rb lib/x_spec.rb
tests/Unit/FooTest.php src/FooTest.php
tests/001.phpt test/foo_test.exs test/test_helper.exs
src/foo_test.cc src/foo_unittest.cc test/foo.c tests/test-fs.c tst_widget.cpp src/FooTest.cpp
spec/foo_spec.lua test/foo_test.dart test_driver/app.dart test/Spec.hs
test/Data/FooSpec.hs FooSpec.hs
test/x.bats tests/x.sh x_test.sh src/test.zig x_test.zig t/basic.t t/lib/X.pm tests/testthat/test-x.R
integration_tests/a.py unit-tests/a.py features/login.feature inttest/a.py fixtures/users.json
"""

NOT_TESTS = """
latest.py contest/views.py testament.go attestation.py fastest.rs greatest/a.c src/protest.js Manifest.java
src/main/java/com/shop/test/Support.java src/main/java/org/latest/A.java Latest.java Contest.kt ab_test.py
ab-tests/run.py Test/QuickCheck.hs Test/More.pm spec/openapi.yaml docs/spec/protocol.md specification.py
TestClient.ts testing.py src/testing/tools.py pytest/runner.py vitest/core.ts spectrum.py inspector/spec.go
test_helpers_doc.md testimonials/views.py tester.py src/detest.py packages/react-test-renderer/src/index.js
test.go testable.go x_testing.go Suite.java special.rb respect.lua
"""


@pytest.mark.parametrize("path", TESTS.split())
def test_tests_are_tests(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize("path", NOT_TESTS.split())
def test_what_only_looks_like_a_test_is_none(path: str) -> None:
    assert not is_test_path(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/app.py", set()),
        ("examples/quick.py", {"example"}),
        ("example_test.go", {"test", "example"}),
        ("demos/a.ts", {"example"}),
        ("src/Button.stories.tsx", {"example"}),
        ("benchmarks/run.py", {"example"}),
        ("my-examples/a.py", {"example"}),
        ("src/sample.py", set()),
        ("src/main/java/com/example/demo/App.java", set()),
        ("com/example/App.kt", set()),
        ("README.md", {"docs"}),
        ("docs/conf.py", {"docs"}),
        ("LICENSE", {"docs"}),
        ("notes/plan.rst", {"docs"}),
        ("src/docs.py", set()),
        ("vendor/github.com/x/y.go", {"vendor"}),
        ("third_party/zlib/inflate.c", {"vendor"}),
        ("web/node_modules/a/index.js", {"vendor"}),
        ("pip/_vendor/six.py", {"vendor", "compat"}),
        ("src/main/java/com/shop/vendor/Vendor.java", set()),
        ("deps/lua/lapi.c", {"vendor"}),
        ("src/deps/graph.py", set()),
        ("dist/index.js", {"build"}),
        ("packages/web/dist/index.js", {"build"}),
        ("target/debug/a.rs", {"build"}),
        ("src/build/wheel.py", set()),
        ("a/b/c/build/x.py", set()),
        ("src/main/java/com/shop/dist/A.java", set()),
        ("app.egg-info/x.py", {"build"}),
        ("archive/old.py", {"archive"}),
        ("src/archive/zip/reader.go", set()),
        ("setup.py.bak", {"archive"}),
        ("api/v1_pb2.py", {"generated"}),
        ("api/v1.pb.go", {"generated"}),
        ("lib/model.g.dart", {"generated"}),
        ("static/app.min.js", {"generated"}),
        ("package-lock.json", {"generated", "config"}),
        ("src/generated/client.ts", {"generated"}),
        ("app/mime.types", {"generated"}),
        ("data/words.txt", {"docs", "generated"}),
        ("hunspell/de_DE.dic", {"generated"}),
        ("src/generator.py", set()),
        ("pkg/_compat.py", {"compat"}),
        ("src/legacy/api.ts", {"compat"}),
        ("src/compatible.py", set()),
        ("pyproject.toml", {"config"}),
        ("Makefile", {"config"}),
        ("vite.config.ts", {"config"}),
        (".github/workflows/ci.yml", {"config"}),
        ("requirements-dev.txt", {"config"}),
        ("CMakeLists.txt", {"config"}),
        ("src/config.py", set()),
        ("pkg/__init__.py", {"init"}),
        ("a/package-info.java", {"init"}),
        ("src/index.ts", set()),
        ("types/a.d.ts", {"type_stub"}),
        ("pkg/a.pyi", {"type_stub"}),
        ("tests/examples/a.py", {"test", "example"}),
        ("", set()),
        ("./tests/a.py", {"test"}),
        ("tests\\a.py", {"test"}),
    ],
)
def test_categories(path: str, expected: set[str]) -> None:
    assert categories(path) == expected


COMPONENT = st.text(st.characters(exclude_characters="/\\\x00", exclude_categories=("Cs",)), min_size=1, max_size=12)


@given(parts=st.lists(COMPONENT, min_size=1, max_size=5))
def test_any_path_has_known_categories(parts: list[str]) -> None:
    assert categories("/".join(parts)) <= set(CATEGORIES)


@given(parts=st.lists(st.sampled_from(["core", "net", "client", "util"]), max_size=4))
def test_a_tests_folder_makes_a_test_wherever_it_stands(parts: list[str]) -> None:
    assert is_test_path("/".join(["tests", *parts, "a.py"]))
    assert is_test_path("/".join([*parts, "tests", "a.py"]))


@pytest.mark.parametrize("path", ["app/locale/de/LC_MESSAGES/django.po", "web/locales/fr.json", "config/i18n/es.yml"])
def test_catalogues_of_translations_are_data(path: str) -> None:
    assert "generated" in categories(path)


@pytest.mark.parametrize("path", ["app/locale/loader.py", "web/locales/index.ts", "config/site.json"])
def test_code_beside_catalogues_is_none(path: str) -> None:
    assert "generated" not in categories(path)
