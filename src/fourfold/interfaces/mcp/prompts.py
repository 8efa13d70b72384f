"""Prompts: ready-made beginnings of work with this server's tools."""

from __future__ import annotations

from collections.abc import Mapping

import mcp_types as types

from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.descriptions import PROMPTS
from fourfold.interfaces.mcp.fence import code, plain
from fourfold.model.errors import BadQuery

_ARGUMENTS: dict[str, list[tuple[str, str, bool]]] = {
    "system_overview": [("service", "Which of several roots.", False)],
    "explain_symbol": [("symbol", "The symbol to explain.", True)],
    "plan_change": [("change", "What is to be changed, in a sentence.", True)],
}

_TASKS = {
    "system_overview": (
        "Explain how this code base is built: its parts and what each is for, where programs begin, how a request or "
        "command runs through it, where data lives, how it is tested. Start from the overview below; read central "
        "code with get_code_context before you claim anything about it; name path:line for every claim. Say what you "
        "have not looked at."
    ),
    "explain_symbol": (
        "Explain the symbol {value}: find it with find_symbol, read it with get_code_context, see who uses it with "
        "find_usages, and what it rests on with analyze_impact direction=callees. Say what it does, what it promises "
        "to its callers, its edge cases, and what to watch out for when changing it; name path:line for every claim."
    ),
    "plan_change": (
        "Plan this change: {value}\n"
        "Find the places with search_code, read them with get_code_context, look for siblings with find_similar, and "
        "run analyze_impact on every symbol whose behaviour or signature changes. Then list, in order: files and "
        "symbols to change with path:line and why; what else the change reaches; tests to run and to add; risks and "
        "open questions. Change nothing yet."
    ),
}


def list_prompts() -> list[types.Prompt]:
    """All prompts with their arguments."""
    return [
        types.Prompt(
            name=name,
            description=text,
            arguments=[
                types.PromptArgument(name=argument, description=about, required=required)
                for argument, about, required in _ARGUMENTS[name]
            ],
        )
        for name, text in PROMPTS.items()
    ]


def get_prompt(call: Call, name: str, arguments: Mapping[str, str]) -> types.GetPromptResult:
    """The messages of a prompt. Raises BadQuery for an unknown prompt or a missing argument."""
    if name not in _TASKS:
        raise BadQuery(f"there is no prompt {name[:80]!r}", hint=f"there are: {', '.join(_TASKS)}")
    for argument, about, required in _ARGUMENTS[name]:
        if required and not str(arguments.get(argument, "")).strip():
            raise BadQuery(f"the prompt {name} needs {argument}", hint=about)
    if name == "system_overview":
        from fourfold.interfaces.mcp.tools.overview import repository_overview

        call.arguments = {"service": arguments.get("service"), "max_tokens": None}
        text = f"{_TASKS[name]}\n\n{repository_overview(call).text}"
    else:
        value = code(arguments["symbol"]) if name == "explain_symbol" else plain(arguments["change"], 4_000)
        text = _TASKS[name].replace("{value}", value)
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description=PROMPTS[name], messages=[message])
