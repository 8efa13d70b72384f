"""The protocol side: tools, resources and prompts on the official SDK's low-level server.

Nothing of the engine is loaded until the first question or the background indexing: ``initialize`` costs what an empty
server of the SDK costs.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from fourfold import __version__
from fourfold.interfaces.mcp.arguments import checked
from fourfold.interfaces.mcp.call import Call
from fourfold.interfaces.mcp.client_roots import ClientRoots
from fourfold.interfaces.mcp.descriptions import INSTRUCTIONS, TITLES, TOOLS
from fourfold.interfaces.mcp.descriptions import RESOURCES as RESOURCE_TEXTS
from fourfold.interfaces.mcp.log import log_path
from fourfold.interfaces.mcp.prompts import get_prompt, list_prompts
from fourfold.interfaces.mcp.resources import FILE_TEMPLATE, OVERVIEW_URI, read_resource
from fourfold.interfaces.mcp.sampling import lent_model
from fourfold.interfaces.mcp.schemas import INPUT, OUTPUT
from fourfold.interfaces.mcp.tools.table import WRITING, tool, tool_names
from fourfold.interfaces.mcp.workspace import Workspace
from fourfold.model.errors import FourfoldError, UsageError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    Context = ServerRequestContext[Any, Any]

T = TypeVar("T")
logger = logging.getLogger("fourfold.mcp")

WORKERS = 4
"""Questions answered at once; more wait in line."""
PROGRESS_S = 0.25
"""Seconds between progress notifications."""


class McpServer:
    """The server of one workspace. `log` is what a message calls the log by (default: the file)."""

    def __init__(self, workspace: Workspace, *, allow_write: bool = False, log: str = "") -> None:
        self.workspace = workspace
        self._log = log
        self._names = tool_names(allow_write=allow_write)
        self._limiter = anyio.CapacityLimiter(WORKERS)
        self._roots = ClientRoots(workspace)
        self.sdk: Server[Any] = Server(
            "fourfold",
            version=__version__,
            title="Fourfold code search",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )
        self.sdk.add_notification_handler("notifications/initialized", types.NotificationParams, self._on_initialized)
        self.sdk.add_notification_handler(
            "notifications/roots/list_changed", types.NotificationParams, self._on_roots_changed
        )

    @property
    def log(self) -> str:
        """Where the log is; its place is looked up when it has to be named."""
        return self._log or str(log_path())

    async def _list_tools(self, ctx: Context, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(name) for name in self._names])

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        name = params.name
        if name not in self._names:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {name[:80]!r}; there are: {', '.join(self._names)}")
        await self._roots.learn(ctx)
        try:
            arguments = checked(name, INPUT[name], params.arguments)
            call = Call(self.workspace, arguments, lent=lambda timeout_s: lent_model(ctx, timeout_s))
            reply = await self._in_thread(ctx, call, lambda: tool(name)(call))
        except FourfoldError as error:
            return _failure(error)
        except OSError as error:
            logger.exception("%s failed", name)
            return _failure(UsageError(f"{error.strerror or error}", hint=f"the log says more: {self.log}"))
        except Exception as error:
            raise self._unforeseen(name, error) from None
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=reply.text)], structured_content=reply.data
        )

    async def _list_resources(self, ctx: Context, params: Any) -> types.ListResourcesResult:
        overview = types.Resource(
            uri=OVERVIEW_URI, name="overview", mime_type="text/markdown", description=RESOURCE_TEXTS["overview"]
        )
        return types.ListResourcesResult(resources=[overview])

    async def _list_templates(self, ctx: Context, params: Any) -> types.ListResourceTemplatesResult:
        file = types.ResourceTemplate(
            uri_template=FILE_TEMPLATE, name="file", mime_type="text/plain", description=RESOURCE_TEXTS["file"]
        )
        return types.ListResourceTemplatesResult(resource_templates=[file])

    async def _read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        await self._roots.learn(ctx)
        uri = str(params.uri)
        call = Call(self.workspace, {})
        try:
            text, mime = await self._in_thread(ctx, call, lambda: read_resource(call, uri))
        except FourfoldError as error:
            raise MCPError(types.INVALID_PARAMS, _sentence(error), {"uri": uri[:500], "code": error.code}) from None
        except Exception as error:
            raise self._unforeseen(uri[:200], error) from None
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, text=text, mime_type=mime)]
        )

    async def _list_prompts(self, ctx: Context, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=list_prompts())

    async def _get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        await self._roots.learn(ctx)
        call = Call(self.workspace, {})
        try:
            return await self._in_thread(ctx, call, lambda: get_prompt(call, params.name, params.arguments or {}))
        except FourfoldError as error:
            raise MCPError(types.INVALID_PARAMS, _sentence(error), {"code": error.code}) from None
        except Exception as error:
            raise self._unforeseen(params.name[:80], error) from None

    async def _on_initialized(self, ctx: Context, params: Any) -> None:
        await self._roots.learn(ctx)

    async def _on_roots_changed(self, ctx: Context, params: Any) -> None:
        await self._roots.learn(ctx, again=True)

    async def _in_thread(self, ctx: Context, call: Call, work: Callable[[], T]) -> T:
        """Do blocking work in a thread, tell how far an indexing is meanwhile, stop it where the client gives up."""
        done = threading.Event()
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._report, ctx, done)
                result = await anyio.to_thread.run_sync(_caught, work, abandon_on_cancel=True, limiter=self._limiter)
                group.cancel_scope.cancel()
        finally:
            done.set()
            call.cancelled.set()
        if isinstance(result, _Raised):
            raise result.error
        return result

    async def _report(self, ctx: Context, done: threading.Event) -> None:
        """Progress notifications while a service is indexing (none are sent unless the client gave a token)."""
        last = -1.0
        while not done.is_set():
            await anyio.sleep(PROGRESS_S)
            moments = [moment for service in self.workspace.services if (moment := service.progress) is not None]
            moment = next((item for item in moments if item.total), None)
            if moment is not None and moment.done > last:
                last = float(moment.done)
                message = f"indexing {moment.done:,}/{moment.total:,} files"
                await ctx.session.report_progress(last, float(moment.total), message)

    def _unforeseen(self, what: str, error: Exception) -> MCPError:
        """A fault of the program: the log has the trace, the client its name and where the log is."""
        logger.exception("%s failed", what, exc_info=error)
        told = f"unexpected {type(error).__name__} in {what}; the log says more: {self.log}"
        return MCPError(types.INTERNAL_ERROR, told, {"log": self.log})


class _Raised:
    """An exception of a worker thread; it crosses the task group as a value, so that it is not wrapped in a group."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _caught(work: Callable[[], T]) -> T | _Raised:
    try:
        return work()
    except Exception as error:
        return _Raised(error)


def _tool(name: str) -> types.Tool:
    writes = name in WRITING
    return types.Tool(
        name=name,
        title=TITLES[name],
        description=TOOLS[name],
        input_schema=INPUT[name],
        output_schema=OUTPUT,
        annotations=types.ToolAnnotations(
            title=TITLES[name],
            read_only_hint=not writes,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def _failure(error: FourfoldError) -> types.CallToolResult:
    """An error that the model can act on: one sentence, the hint, the code."""
    data = {"error": {"code": error.code, "message": error.message, "hint": error.hint}}
    text = types.TextContent(type="text", text=_sentence(error))
    return types.CallToolResult(content=[text], structured_content=data, is_error=True)


def _sentence(error: FourfoldError) -> str:
    hint = f"\nhint: {error.hint}" if error.hint else ""
    return f"error {error.code}: {error.message}{hint}"


def quiet_deprecations() -> None:
    """Roots are deprecated in the protocol, and what many clients still speak."""
    from mcp.shared.exceptions import MCPDeprecationWarning

    warnings.filterwarnings("ignore", category=MCPDeprecationWarning)
