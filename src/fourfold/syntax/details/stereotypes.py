"""The part a definition plays in its framework: by decorators, base classes, names and places."""

from __future__ import annotations

import re

from fourfold.syntax.definitions import Definition

_BY_DECORATOR = re.compile(
    r"#?[@\[](?:\w+:)?(?:(?P<controller>(?:Rest|Api)?Controller(?:Advice)?\b|Resolver\b|WebSocketGateway\b)"
    r"|(?P<repository>Repository\b|EntityRepository\b|Dao\b)|(?P<service>Service\b|ApplicationScoped\b|UseCase\b)"
    r"|(?P<entity>Entity\b|Table\b|Document\b|MappedSuperclass\b|Embeddable\b)"
    r"|(?P<model>ObjectType\b|Schema\b|Model\b)"
    r"|(?P<component>Component\b|Directive\b|Composable\b|customElement\b)"
    r"|(?P<middleware>Middleware\b|app\.middleware\b|WebFilter\b))"
)
_ROUTE_DECORATOR = re.compile(
    r"(?:@[\w.]+\.(?:get|post|put|patch|delete|options|head|route|websocket|api_route)\(|@api_view\b"
    r"|#\[(?:\w+::)*(?:get|post|put|patch|delete|route)\()"
)
_INJECTABLE = re.compile(r"@Injectable\b")
_BY_BASE = re.compile(
    r"\b(?:(?P<migration>migrations\.Migration|ActiveRecord::Migration|Migration|MigrationInterface|DbMigration"
    r"|AbstractMigration|ModelSnapshot)\b"
    r"|(?P<controller>\w*Controller|ControllerBase|ActionController::\w+|\w*APIView|\w*ViewSet|MethodView"
    r"|(?:Template|List|Detail|Create|Update|Delete|Form|Redirect|Login|Logout)?View|Resource|HTTPEndpoint"
    r"|HttpServlet)\b"
    r"|(?P<repository>(?:Jpa|Crud|Mongo|PagingAndSorting|Reactive\w*|Coroutine\w*|List\w*)?Repository\b)"
    r"|(?P<middleware>BaseHTTPMiddleware|MiddlewareMixin|IMiddleware|NestMiddleware|OncePerRequestFilter|HandlerInterceptor)\b"
    r"|(?P<model>models\.Model|db\.Model|ApplicationRecord|ActiveRecord::Base|Eloquent|BaseModel|SQLModel|Model"
    r"|Authenticatable|Document)\b"
    r"|(?P<entity>DeclarativeBase|BaseEntity)\b"
    r"|(?P<component>React\.(?:Pure)?Component|(?:Pure)?Component|LitElement|HTMLElement|StatelessWidget|StatefulWidget"
    r"|ViewComponent::Base)\b)"
)

_BY_SUFFIX: tuple[tuple[str, str], ...] = (
    ("Controller", "controller"),
    ("Service", "service"),
    ("ServiceImpl", "service"),
    ("Repository", "repository"),
    ("RepositoryImpl", "repository"),
    ("Dao", "repository"),
    ("Entity", "entity"),
    ("Middleware", "middleware"),
    ("Component", "component"),
)

_EXTENDING = re.compile(r"\b(?:extends|implements|with|mixin)\b|[<:(]")
_MIGRATION_PATH = re.compile(r"(?:^|/)(?:migrations?|migrate)/|(?:^|/)alembic/versions/")

_JSX_FILE = (".tsx", ".jsx")
_JSX = re.compile(r"</\w|/>")
_WRAPPED_COMPONENT = re.compile(r"=\s*(?:React\.)?(?:memo|forwardRef|lazy|styled|defineComponent|observer)\b")
_GO_MIDDLEWARE = re.compile(r"\)\s*(?:gin\.HandlerFunc|echo\.MiddlewareFunc|mux\.MiddlewareFunc|fiber\.Handler)$")
_GO_HANDLER = re.compile(r"http\.ResponseWriter,\s*\w*\s*\*http\.Request\)|\*?(?:gin|echo|fiber)\.(?:Context|Ctx)\)")
_EXPRESS = re.compile(r"\(\s*_?req(?:uest)?\b[^()]*,\s*_?res(?:ponse)?\b[^()]*?(,\s*_?next\b[^()]*)?\)")
_EXPRESS_ERROR = re.compile(r"\(\s*_?err(?:or)?\b[^()]*,\s*_?req")
_ECMASCRIPT = frozenset({"javascript", "typescript"})


def stereotype_of_type(one: Definition, marks: list[str], path: str, language: str) -> str:
    """A word of :data:`~fourfold.model.symbol.STEREOTYPES` for a class or something like it; "" where nothing
    tells."""
    for mark in marks:
        found = _BY_DECORATOR.match(mark)
        if found:
            return found.lastgroup or ""
    position = one.signature.find(one.name)
    tail = one.signature[position + len(one.name) :] if position >= 0 else ""
    if tail and _EXTENDING.search(tail):
        found = _BY_BASE.search(tail)
        if found:
            return found.lastgroup or ""
    if _MIGRATION_PATH.search(path) and one.kind == "class":
        return "migration"
    for suffix, stereotype in _BY_SUFFIX:
        if one.name.endswith(suffix) and len(one.name) > len(suffix):
            return stereotype
    if language == "python" and "__tablename__" in "\n".join(child.name for child in one.children):
        return "entity"
    if any(map(_INJECTABLE.match, marks)):
        return "service"
    if one.kind == "table":
        return "entity"
    return "middleware" if "/Middleware/" in path and one.kind == "class" else ""


def stereotype_of_code(one: Definition, marks: list[str], path: str, language: str, text: str) -> str:
    """The same for a function, method or value that may hold one."""
    if language in _ECMASCRIPT:
        return _ecmascript(one, path, text)
    for mark in marks:
        if _ROUTE_DECORATOR.match(mark):
            return "controller"
        found = _BY_DECORATOR.match(mark)
        if found:
            return found.lastgroup or ""
    if language == "python" and one.kind == "function":
        return _python(one, path)
    if language == "go" and ("http." in one.signature or "ontext)" in one.signature or "Handler" in one.signature):
        return _go(one.signature)
    return ""


def _python(one: Definition, path: str) -> str:
    if one.name in ("upgrade", "downgrade") and "versions/" in path:
        return "migration"
    is_view = "views" in path and f"{one.name}(request" in one.signature
    return "controller" if is_view else "middleware" if one.name.endswith("_middleware") else ""


def _go(signature: str) -> str:
    if signature.endswith("http.Handler") and signature.count("http.Handler") > 1:
        return "middleware"
    if _GO_MIDDLEWARE.search(signature):
        return "middleware"
    return "controller" if _GO_HANDLER.search(signature) else ""


def _ecmascript(one: Definition, path: str, text: str) -> str:
    name, signature = one.name, one.signature
    if name[:3] == "use" and name[3:4].isupper() and one.kind == "function":
        return "hook"
    if name[:1].isupper() and not name.isupper() and not one.parent:
        is_code = one.kind == "function"
        jsx = path.endswith(_JSX_FILE) or ("react" in text and path.endswith(".js"))
        if jsx and (_WRAPPED_COMPONENT.search(signature) or (is_code and _JSX.search(text))):
            return "component"
    if "req" in signature:
        found = _EXPRESS.search(signature)
        if _EXPRESS_ERROR.search(signature) or (found and found.group(1)):
            return "middleware"
        if found:
            return "controller"
    return ""
