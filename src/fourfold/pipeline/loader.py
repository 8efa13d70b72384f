"""Pipelines from YAML: shipped presets, and the user's own (``presets/NAME.yaml`` beside the user's configuration).

::

    about: what it is for
    ranked: false                       # true: a ranked list instead of a composite text
    steps:
      - pre_filter                      # a step without parameters; its name is its type
      - dense_fetcher: {pool: 50}       # with parameters
      - more: {type: bm25_scorer}       # under a name of its own
      - preset: hybrid                  # all steps of another preset, as one step

Everything is checked before anything runs. An error names the file, the line, the step and what is allowed. Presets are
never read from a repository.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from fourfold.config.load import user_file
from fourfold.config.option import nearest, shown
from fourfold.config.settings import PRESET_NAME, PRESETS
from fourfold.model.errors import BadConfig, FourfoldError, UsageError
from fourfold.pipeline.pipeline import RetrieverPipeline
from fourfold.pipeline.registry import step_type
from fourfold.pipeline.steps.base import Step

MAX_BYTES = 100_000
"""A longer file is no preset."""
MAX_STEPS = 500
HEADER = ("about", "ranked", "steps")


def presets_dir() -> Path:
    """The folder of the user's own presets, existing or not."""
    return user_file().parent / "presets"


def user_presets() -> list[str]:
    """Names of the user's own presets, sorted; a shipped name cannot be taken."""
    folder = presets_dir()
    if not folder.is_dir():
        return []
    names = sorted(path.stem for path in folder.glob("*.yaml") if path.is_file() and PRESET_NAME.fullmatch(path.stem))
    return [name for name in names if name not in PRESETS]


def preset_names() -> list[str]:
    """Every preset: those shipped, then the user's own."""
    return [*PRESETS, *user_presets()]


def load_preset(name: str) -> RetrieverPipeline:
    """The pipeline of a preset. Raises UsageError for an unknown name, BadConfig for a faulty file."""
    if name in PRESETS:
        return _shipped(name)
    return _Reader({}).preset(name, ())


def preset_text(name: str) -> str:
    """The YAML of a preset as written. Raises UsageError for an unknown name."""
    return _read(name)[1]


def load_text(text: str, origin: str = "pipeline") -> RetrieverPipeline:
    """The pipeline of a YAML text; `origin` names it in errors."""
    return _Reader({}).document(text, origin, (origin,))


@cache
def _shipped(name: str) -> RetrieverPipeline:
    return _Reader({}).preset(name, ())


def _read(name: str) -> tuple[str, str]:
    """(where, text) of a preset."""
    if name in PRESETS:
        return f"{name}.yaml", (Path(__file__).parent / "presets" / f"{name}.yaml").read_text("utf-8")
    if name not in user_presets():
        known = preset_names()
        near = nearest(name, known)
        hint = f'did you mean "{near}"? ' if near else ""
        raise UsageError(f"there is no preset {shown(name)}", hint=f"{hint}choose one of: {', '.join(known)}")
    path = presets_dir() / f"{name}.yaml"
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadConfig(f"{path} is larger than {MAX_BYTES:,} bytes", hint="is it a preset?")
        return str(path), path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadConfig(f"{path} cannot be read: {error.strerror}", hint="check its permissions") from None
    except UnicodeDecodeError:
        raise BadConfig(f"{path} is not UTF-8 text", hint="save it as UTF-8") from None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a file something stands, for errors."""

    origin: str
    trail: tuple[str, ...]

    def fault(self, node: yaml.Node, message: str, hint: str = "", step: str = "") -> BadConfig:
        """An error with file, line and step."""
        where = f"{self.origin}, line {node.start_mark.line + 1}"
        return BadConfig(f"{where}{f', step {step}' if step else ''}: {message}", hint=hint)


class _Reader:
    """Builds pipelines from the nodes of YAML documents, so that every error knows its line."""

    def __init__(self, seen: dict[str, int]) -> None:
        self._seen = seen
        self._steps = 0

    def preset(self, name: str, trail: tuple[str, ...]) -> RetrieverPipeline:
        """The pipeline of a preset that is reached through those of `trail`."""
        origin, text = _read(name)
        return self.document(text, origin, (*trail, name))

    def document(self, text: str, origin: str, trail: tuple[str, ...]) -> RetrieverPipeline:
        """The pipeline of one document."""
        at = _Place(origin, trail)
        root = _composed(text, origin)
        header = self._table(at, root, "a preset")
        for key, (_, node) in header.items():
            if key not in HEADER:
                raise at.fault(node, f"there is no key {key!r}", f"keys: {', '.join(HEADER)}")
        if "steps" not in header:
            raise at.fault(root, "there are no steps", "steps: [dense_fetcher]")
        values = {key: _plain(node) for key, (_, node) in header.items() if key != "steps"}
        if not isinstance(values.get("ranked", False), bool):
            raise at.fault(header["ranked"][1], "ranked must be true or false")
        pipeline = self._pipeline(at, header["steps"][1])
        about = str(values.get("about", "")).strip()
        return RetrieverPipeline(pipeline.steps, bool(values.get("ranked", False)), about, origin)

    def _pipeline(self, at: _Place, node: yaml.Node) -> RetrieverPipeline:
        """A list of steps, or one step."""
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        steps = [self._step(at, item) for item in nodes]
        try:
            return RetrieverPipeline(steps)
        except FourfoldError as error:
            raise at.fault(node, error.message, error.hint) from None

    def _step(self, at: _Place, node: yaml.Node) -> tuple[str, Step]:
        """(name, step) of ``type``, ``type: {...}``, ``name: {type: ..., ...}`` or ``preset: ...``."""
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise at.fault(node, f"there are more than {MAX_STEPS} steps")
        if isinstance(node, yaml.ScalarNode) and isinstance(node.value, str) and node.value:
            return node.value, self._made(at, node, node.value, node.value, {})
        table = self._table(at, node, "a step")
        if len(table) != 1:
            raise at.fault(
                node, f"a step has one name, not {len(table)}", "write `- TYPE: {...}` or `- NAME: {type: TYPE, ...}`"
            )
        name, (key_node, value) = next(iter(table.items()))
        if name == "preset":
            return self._included(at, value)
        parameters = {} if _is_empty(value) else self._table(at, value, f"the parameters of {name}")
        kind = name
        if "type" in parameters:
            kind = str(_plain(parameters.pop("type")[1]))
        return name, self._made(at, key_node, name, kind, parameters)

    def _included(self, at: _Place, node: yaml.Node) -> tuple[str, Step]:
        """Another preset as one step."""
        ranked = False
        if isinstance(node, yaml.MappingNode):
            table = self._table(at, node, "preset")
            values = {key: _plain(value) for key, (_, value) in table.items()}
            if set(values) - {"name", "ranked"} or not isinstance(values.get("ranked", False), bool):
                raise at.fault(node, "preset takes a name and ranked", "preset: {name: hybrid, ranked: true}")
            name, ranked = str(values.get("name", "")), bool(values.get("ranked", False))
        else:
            name = str(_plain(node))
        if name in at.trail:
            circle = " -> ".join([*at.trail[at.trail.index(name) :], name])
            raise at.fault(node, f"presets include each other in a circle: {circle}")
        try:
            found = self.preset(name, at.trail)
        except BadConfig:
            raise
        except UsageError as error:
            raise at.fault(node, error.message, error.hint) from None
        return name, found.as_list() if ranked else found

    def _made(
        self, at: _Place, node: yaml.Node, name: str, kind: str, parameters: dict[str, tuple[yaml.Node, yaml.Node]]
    ) -> Step:
        """The step of a type with its parameters."""
        shown_step = name if name == kind else f"{name} ({kind})"
        try:
            cls = step_type(kind)
        except BadConfig as error:
            raise at.fault(node, error.message, error.hint, name) from None
        known = cls.parameters()
        values: dict[str, Any] = {}
        for key, (key_node, value) in parameters.items():
            if key not in known:
                near = nearest(key, known)
                hint = f'did you mean "{near}"? ' if near else ""
                allowed = f"parameters: {', '.join(known)}" if known else "it takes no parameters"
                raise at.fault(key_node, f"there is no parameter {key!r}", hint + allowed, shown_step)
            values[key] = self._value(at, value, str(known[key].metadata.get("nested", "")), shown_step)
        missing = [key for key, item in known.items() if key not in values and _required(item)]
        if missing:
            raise at.fault(node, f"the parameter {missing[0]!r} is missing", cls.expects(missing[0]), shown_step)
        try:
            return cls(**values)
        except FourfoldError as error:
            line = next((pair[0] for key, pair in parameters.items() if _speaks_of(error.message, kind, key)), node)
            raise at.fault(line, error.message, error.hint, shown_step) from None

    def _value(self, at: _Place, node: yaml.Node, nested: str, step: str) -> Any:
        """A parameter's value; what holds steps becomes steps."""
        makers: Mapping[str, Callable[[yaml.Node], Any]] = {
            "steps": lambda inner: self._nested(at, inner),
            "branches": lambda inner: {
                key: self._nested(at, value) for key, (_, value) in self._table(at, inner, "branches").items()
            },
            "cases": lambda inner: {
                key: self._case(at, value, key, step) for key, (_, value) in self._table(at, inner, "cases").items()
            },
        }
        try:
            return makers[nested](node) if nested in makers else _plain(node)
        except yaml.YAMLError as error:
            raise at.fault(node, str(error).split("\n", 1)[0], step=step) from None

    def _case(self, at: _Place, node: yaml.Node, name: str, step: str) -> dict[str, Any]:
        table = self._table(at, node, f"case {name}")
        if set(table) != {"when", "then"}:
            raise at.fault(node, f"case {name} must hold `when` and `then`, and nothing else", step=step)
        from fourfold.pipeline.steps.predicate import When

        try:
            when = When.of(_plain(table["when"][1]))
        except FourfoldError as error:
            raise at.fault(table["when"][0], error.message, error.hint, step) from None
        return {"when": when, "then": self._nested(at, table["then"][1])}

    def _nested(self, at: _Place, node: yaml.Node) -> Step:
        """One step as it is, several as a pipeline."""
        if isinstance(node, yaml.SequenceNode):
            return self._pipeline(at, node)
        return self._step(at, node)[1]

    def _table(self, at: _Place, node: yaml.Node, what: str) -> dict[str, tuple[yaml.Node, yaml.Node]]:
        """Keys of a mapping with their nodes. Raises for what is no mapping and for a key given twice."""
        if not isinstance(node, yaml.MappingNode):
            raise at.fault(node, f"{what} must be a table, not {_kind(node)}")
        table: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        for key, value in node.value:
            name = key.value
            if not isinstance(name, str) or name in table:
                raise at.fault(key, f"{what}: the key {shown(name)} is given twice or is no text")
            table[name] = (key, value)
        return table


def _composed(text: str, origin: str) -> yaml.Node:
    """The root node of a document. Raises BadConfig for what is no YAML, and for anchors: a preset needs none, and a
    few of them can stand for billions of nodes."""
    try:
        for event in yaml.parse(text, yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise BadConfig(f"{origin}, line {line}: references (*) are not allowed", hint="write it out")
        root = yaml.compose(text, yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{origin}, line {mark.line + 1}" if mark is not None else origin
        problem = getattr(error, "problem", None) or str(error).split("\n", 1)[0]
        raise BadConfig(f"{where} is not valid YAML: {problem}", hint="correct the file") from None
    except RecursionError:
        raise BadConfig(f"{origin} is nested too deeply", hint="correct the file") from None
    if root is None:
        raise BadConfig(f"{origin} is empty", hint="steps: [dense_fetcher]")
    return root


def _plain(node: yaml.Node) -> Any:
    """The value of a node that holds no steps."""
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _kind(node: yaml.Node) -> str:
    return "a list" if isinstance(node, yaml.SequenceNode) else f"the value {shown(node.value)}"


def _is_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def _required(item: Any) -> bool:
    from dataclasses import MISSING

    return item.default is MISSING and item.default_factory is MISSING


def _speaks_of(message: str, kind: str, key: str) -> bool:
    return f"{kind}.{key}" in message or (key in ("weights", "when") and key.rstrip("s") in message)
