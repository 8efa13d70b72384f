"""Records behave as the dataclasses of the standard library do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar

import pytest

from fourfold.model.record import FEW, record


@record(frozen=True, slots=True)
class Made:
    """A record with every kind of field that is used."""

    name: str
    count: int = 1
    tags: list[str] = field(default_factory=list)
    note: str = field(default="", compare=False, repr=False)
    fixed: int = field(default=7, init=False)

    @property
    def doubled(self) -> int:
        return 2 * self.count


@dataclass(frozen=True, slots=True)
class Plain:
    """The same of the standard library."""

    name: str
    count: int = 1
    tags: list[str] = field(default_factory=list)
    note: str = field(default="", compare=False, repr=False)
    fixed: int = field(default=7, init=False)

    @property
    def doubled(self) -> int:
        return 2 * self.count


@record(frozen=True, slots=True)
class Checked:
    """A record that checks what it is given."""

    size: int

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a size is not negative")


@record(frozen=True, slots=True)
class Key:
    """A record that can be a key."""

    first: str
    second: int = 0


@record(frozen=True, slots=True)
class Empty:
    """A record without fields."""


@record(frozen=False, slots=True)
class Open:
    """A record whose fields may be set."""

    kinds: ClassVar[int] = 3
    name: str
    found: list[str] = field(default_factory=list)


@pytest.mark.parametrize(
    ("args", "values"),
    [(("a",), {}), (("a", 2, ["x"], "n"), {}), ((), {"name": "a", "note": "n"}), (("a",), {"count": 3})],
)
def test_a_record_is_what_the_dataclass_is(args: tuple[Any, ...], values: dict[str, Any]) -> None:
    made, plain = Made(*args, **values), Plain(*args, **values)
    assert repr(made) == repr(plain).replace("Plain", "Made")
    assert asdict(made) == asdict(plain)
    assert made.doubled == plain.doubled
    assert is_dataclass(made)
    assert [f.name for f in fields(made)] == [f.name for f in fields(plain)]
    assert Made.__slots__ == Plain.__slots__
    assert Made.__match_args__ == Plain.__match_args__
    assert not hasattr(made, "__dict__")
    assert asdict(replace(made, count=9)) == asdict(replace(plain, count=9))
    assert pickle.loads(pickle.dumps(made)) == made == copy.deepcopy(made)


def test_equal_by_the_fields_that_count() -> None:
    assert Made("a", note="x") == Made("a", note="y")
    assert Made("a") != Made("b")
    others: list[Any] = [Plain("a"), "a", None]
    assert Made("a") not in others
    assert Key("a") not in others
    assert {Key("a"): 1}[Key("a", 0)] == 1
    assert hash(Key("a", 1)) != hash(Key("a", 2))
    assert Empty() == Empty()
    assert repr(Empty()) == "Empty()"


def test_factories_make_a_value_each() -> None:
    assert Made("a").tags is not Made("a").tags


def test_nothing_can_be_changed() -> None:
    made = Made("a")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        made.name = "b"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del made.name
    assert made.name == "a"


@pytest.mark.parametrize(("args", "values"), [((), {}), (("a",), {"other": 1}), (("a", 1, [], "n", 8), {})])
def test_wrong_arguments_are_refused_by_name(args: tuple[Any, ...], values: dict[str, Any]) -> None:
    maker: Any = Made
    for _ in range(2):  # the first time it is compiled, if not before
        with pytest.raises(TypeError, match=r"Made\.__init__\(\)"):
            maker(*args, **values)


def test_the_first_instances_are_made_as_the_later_ones() -> None:
    made = [Open(str(number), found=[]) for number in range(3 * FEW)]
    assert [one.name for one in made] == [str(number) for number in range(3 * FEW)]
    assert Open.kinds == 3
    assert [one.name for one in fields(Open)] == ["name", "found"]


def test_an_open_record_can_be_changed_and_is_no_key() -> None:
    one = Open("a")
    one.name = "b"
    assert one == Open("b")
    assert repr(one).endswith("Open(name='b', found=[])")
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == one
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
    with pytest.raises(AttributeError):
        one.other = 1  # type: ignore[attr-defined]


def test_a_default_that_instances_would_share_is_refused() -> None:
    maker: Any = record
    with pytest.raises(ValueError, match="mutable default"):
        maker(frozen=True, slots=True)(type("Faulty", (), {"__annotations__": {"all": "list[str]"}, "all": []}))


def test_what_follows_the_fields_is_called() -> None:
    with pytest.raises(ValueError, match="not negative"):
        Checked(-1)
    with pytest.raises(ValueError, match="not negative"):
        replace(Checked(1), size=-1)


def test_other_combinations_are_refused() -> None:
    maker: Any = record
    with pytest.raises(TypeError, match="classes with slots"):
        maker(frozen=True, slots=False)
    with pytest.raises(TypeError, match="extends a dataclass"):
        maker(frozen=True, slots=True)(type("Child", (Plain,), {"__annotations__": {"more": int}}))
