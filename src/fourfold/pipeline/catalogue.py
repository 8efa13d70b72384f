"""What presets and steps there are, as data for any interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fourfold.config.settings import PRESETS
from fourfold.model.errors import FourfoldError

if TYPE_CHECKING:
    from fourfold.pipeline.steps.base import Step


def preset_facts(name: str) -> dict[str, object]:
    """A preset: ``name``, ``shipped``, ``about``, the names of its ``steps``; a faulty one has an ``error``."""
    from fourfold.pipeline.loader import load_preset

    found: dict[str, object] = {"name": name, "shipped": name in PRESETS, "about": "", "steps": []}
    try:
        pipeline = load_preset(name)
    except FourfoldError as error:
        return {**found, "error": error.message}
    return {**found, "about": pipeline.about, "steps": list(pipeline)}


def step_facts(step: type[Step]) -> dict[str, object]:
    """A step: ``name``, ``about`` (its documentation without the example), ``parameters`` with help and what they
    accept."""
    about = " ".join((step.__doc__ or "").split("Example:")[0].split())
    parameters = {
        name: {"help": item.metadata["help"], "expects": step.expects(name)} for name, item in step.parameters().items()
    }
    return {"name": step.type, "about": about, "parameters": parameters}
