"""Routes of several files put together."""

from __future__ import annotations

import json

import pytest

from fourfold.model.route import FileRoutes, Mount, RawRoute, Router, decode_routes, encode_routes
from fourfold.syntax.parse import parse_file
from fourfold.syntax.routes.constants import Constants
from fourfold.syntax.routes.join import join_routes

LANGUAGES = {
    "py": "python",
    "js": "javascript",
    "ts": "typescript",
    "go": "go",
    "rs": "rust",
    "php": "php",
    "rb": "ruby",
}

PROJECTS = {
    "fastapi": (
        {
            "app/core/config.py": 'class Settings:\n    API: str = "/api/v1"\n',
            "app/main.py": "from app.api.main import api_router\nfrom app.core.config import settings\n"
            "app = FastAPI()\napp.include_router(api_router, prefix=settings.API)\n",
            "app/api/main.py": "from fastapi import APIRouter\nfrom app.api.routes import items, users as people\n"
            "api_router = APIRouter()\napi_router.include_router(items.router)\n"
            'api_router.include_router(people.router, prefix="/people")\n',
            "app/api/routes/items.py": 'router = APIRouter(prefix="/items")\n@router.get("/")\ndef read(): ...\n',
            "app/api/routes/users.py": 'router = APIRouter()\n@router.post("/{id}")\ndef add(): ...\n',
        },
        ["GET /api/v1/items/", "POST /api/v1/people/{id}"],
    ),
    "flask blueprint made elsewhere": (
        {
            "app/__init__.py": "def create_app():\n    from app.auth import bp as auth_bp\n"
            "    app.register_blueprint(auth_bp, url_prefix='/auth')\n",
            "app/auth/__init__.py": "from flask import Blueprint\nbp = Blueprint('auth', __name__)\n"
            "from app.auth import routes\n",
            "app/auth/routes.py": "from app.auth import bp\n@bp.route('/login')\ndef login(): ...\n",
        },
        ["GET /auth/login"],
    ),
    "django": (
        {
            "config/urls.py": 'urlpatterns = [path("api/", include(("shop.api.urls", "api")))]\n',
            "shop/api/urls.py": 'urlpatterns = [path("users/", include("shop.users.urls"))]\n',
            "shop/users/urls.py": 'urlpatterns = [path("<int:pk>/", Detail.as_view())]\n',
        },
        ["ANY /api/users/<int:pk>/"],
    ),
    "express": (
        {
            "src/app.js": "const routes = require('./routes/v1');\nconst app = express();\napp.use('/v1', routes);\n"
            "require('./legacy')(app);\n",
            "src/routes/v1/index.js": "const router = require('express').Router();\n"
            "const users = require('./users.route');\n"
            "router.use('/users', users);\nmodule.exports = router;\n",
            "src/routes/v1/users.route.js": "const router = express.Router();\nrouter.get('/:id', show);\n"
            "module.exports = router;\n",
            "src/legacy.js": "module.exports = (app) => {\n  app.post('/old', old);\n};\n",
        },
        ["POST /old", "GET /v1/users/:id"],
    ),
    "gin": (
        {
            "main.go": 'package main\nimport (\n\t"github.com/gin-gonic/gin"\n\t"x.org/shop/users"\n)\n'
            'func main() {\n\tr := gin.Default()\n\tv1 := r.Group("/api")\n\tusers.Register(v1.Group("/users"))\n}\n',
            "users/routers.go": 'package users\nimport "github.com/gin-gonic/gin"\n'
            'func Register(router *gin.RouterGroup) { router.POST("/", create) }\n',
            "users/unit_test.go": 'package users\nimport "github.com/gin-gonic/gin"\n'
            'func TestIt(t *testing.T) { r := gin.New(); Register(r.Group("/wrong")) }\n',
        },
        ["POST /api/users/"],
    ),
    "chi": (
        {
            "api/api.go": 'package api\nimport (\n\t"github.com/go-chi/chi/v5"\n\t"x.org/shop/api/admin"\n)\n'
            "func New() *chi.Mux {\n\tadminAPI, err := admin.NewAPI(db)\n\tr := chi.NewRouter()\n"
            '\tr.Mount("/admin", adminAPI.Router())\n\treturn r\n}\n',
            "api/admin/api.go": 'package admin\nimport "github.com/go-chi/chi/v5"\n'
            "type API struct { Accounts *AccountResource }\n"
            'func (a *API) Router() *chi.Mux {\n\tr := chi.NewRouter()\n\tr.Mount("/accounts", a.Accounts.router())\n'
            "\treturn r\n}\n",
            "api/admin/accounts.go": 'package admin\nimport "github.com/go-chi/chi/v5"\n'
            'func (rs *AccountResource) router() *chi.Mux {\n\tr := chi.NewRouter()\n\tr.Get("/{id}", rs.get)\n'
            "\treturn r\n}\n",
        },
        ["GET /admin/accounts/{id}"],
    ),
    "axum": (
        {
            "src/main.rs": "use axum::Router;\nmod users;\n"
            'fn app() -> Router { Router::new().nest("/api", users::router()) }\n',
            "src/users.rs": "use axum::{routing::get, Router};\n"
            'pub fn router() -> Router { Router::new().route("/users", get(all)) }\n',
        },
        ["GET /api/users"],
    ),
    "laravel": (
        {
            "app/Providers/RouteServiceProvider.php": "<?php\n"
            "Route::prefix('v2')->group(base_path('routes/api.php'));\n",
            "routes/api.php": "<?php\nRoute::get('user', 'UserController@show');\n",
        },
        ["GET /v2/user"],
    ),
    "laravel without a word": (
        {"routes/api.php": "<?php\nRoute::get('user', 'UserController@show');\n"},
        ["GET /api/user"],
    ),
    "nestjs": (
        {
            "src/main.ts": "app.setGlobalPrefix('api');\n",
            "src/cats.ts": "@Controller('cats')\nexport class Cats {\n  @Get(':id') one() {}\n}\n",
        },
        ["GET /api/cats/:id"],
    ),
}


@pytest.mark.parametrize("name", sorted(PROJECTS))
def test_routes_of_a_project(name: str) -> None:
    files, expected = PROJECTS[name]
    parsed = {path: parse_file(path, text, LANGUAGES[path.rsplit(".", 1)[1]]) for path, text in files.items()}
    constants = Constants((path, one.symbols) for path, one in parsed.items())
    routes = join_routes((one.routes for one in parsed.values() if one.routes), constant=constants)
    assert sorted(f"{one.method} {one.path}" for one in routes) == sorted(expected)


def test_a_given_resolver_is_asked_first() -> None:
    files = [
        FileRoutes("a.py", mounts=(Mount("app", "pkg.urls", "x/", 1, "django"),)),
        FileRoutes("far/away.py", routes=(RawRoute("ANY", "y/", "view", 3, "django", "urlpatterns"),)),
    ]
    known = {("a.py", "pkg.urls"): "far/away.py"}
    assert [one.path for one in join_routes(files)] == ["/y/"]
    assert [one.path for one in join_routes(files, lambda path, name: known.get((path, name)))] == ["/x/y/"]


def test_mounts_in_a_circle_end() -> None:
    file = FileRoutes(
        "a.js",
        (RawRoute("GET", "/x", "x", 1, "express", "a"),),
        (Mount("a", "b", "/b", 2, "express"), Mount("b", "a", "/a", 3, "express")),
        (Router("a"), Router("b")),
    )
    assert [one.path for one in join_routes([file])]


def test_a_router_mounted_twice_has_its_routes_twice() -> None:
    file = FileRoutes(
        "a.js",
        (RawRoute("GET", "/x", "x", 1, "express", "r"),),
        (Mount("app", "r", "/a", 2, "express"), Mount("app", "r", "/b", 3, "express")),
        (Router("app"), Router("r")),
    )
    assert [one.path for one in join_routes([file])] == ["/a/x", "/b/x"]


def test_unknown_parts_stay_as_written() -> None:
    text = 'app.include_router(router, prefix=settings.API)\nrouter = APIRouter()\n@router.get("/x")\ndef x(): ...\n'
    (route,) = join_routes([found] if (found := parse_file("a.py", text, "python").routes) else [])
    assert route.path == "${settings.API}/x"


def test_what_was_encoded_comes_back() -> None:
    found = parse_file("a.py", PROJECTS["fastapi"][0]["app/api/main.py"], "python").routes
    assert found is not None
    assert decode_routes("a.py", json.loads(json.dumps(encode_routes(found)))) == found
    assert encode_routes(FileRoutes("a.py")) == []
    assert decode_routes("a.py", []) == FileRoutes("a.py")


@pytest.mark.parametrize("encoded", [[2, [], [], [], []], [1, [[1]], [], [], []], [1, [1], [], [], []], [1]])
def test_damaged_routes_are_refused(encoded: list[object]) -> None:
    with pytest.raises(ValueError, match="routes"):
        decode_routes("a.py", encoded)
