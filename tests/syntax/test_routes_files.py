"""HTTP routes of one file, for every framework: whole paths within the file."""

from __future__ import annotations

import pytest

from fourfold.model.route import FileRoutes
from fourfold.syntax.parse import parse_file
from fourfold.syntax.routes.join import join_routes

CASES = {
    "fastapi": (
        "api/users.py",
        "python",
        """
from fastapi import APIRouter, FastAPI
PREFIX = "/users"
router = APIRouter(prefix=PREFIX)
app = FastAPI()

@router.get("")
async def listed(): ...

@router.put("/{id}", response_model=User)
@cached
async def change(id: int): ...

@router.api_route("/both", methods=["GET", "POST"])
def both(): ...

router.add_api_route("/added", handler, methods=["DELETE"])
app.include_router(router, prefix="/v1")
values.get("/not/a/route")
""",
        """
GET /v1/users -> listed
PUT /v1/users/{id} -> change
GET /v1/users/both -> both
POST /v1/users/both -> both
DELETE /v1/users/added -> handler
""",
    ),
    "flask": (
        "shop.py",
        "python",
        """
from flask import Blueprint, Flask
bp = Blueprint("shop", __name__, url_prefix="/shop")

class Items(MethodView):
    def get(self): ...
    def post(self): ...

@bp.route("/", methods=("GET", "POST"))
def index(): ...

@bp.delete("/<int:id>")
def drop(id): ...

bp.add_url_rule("/items", view_func=Items.as_view("items"))

def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp, url_prefix="/market")
    app.add_url_rule("/health", "health", health)
    return app
""",
        """
GET /market/ -> index
POST /market/ -> index
DELETE /market/<int:id> -> drop
GET /market/items -> Items
POST /market/items -> Items
GET /health -> health
""",
    ),
    "django": (
        "shop/urls.py",
        "python",
        """
from django.urls import include, path, re_path
router = DefaultRouter()
router.register(r"articles", ArticleViewSet)
extra = [path("more/", views.more)]
urlpatterns = [
    path("", views.Home.as_view(), name="home"),
    re_path(r"^old/(?P<id>\\d+)/$", views.old),
    path("x/", include([path("y/", views.y)])),
    path("extra/", include(extra)),
    path("api/", include(router.urls)),
    path("admin/", admin.site.urls),
] + static("/media/")
urlpatterns += [path("late/", late)]
""",
        """
ANY / -> views.Home
ANY /old/(?P<id>\\d+)/ -> views.old
ANY /x/y/ -> views.y
ANY /extra/more/ -> views.more
ANY /api/articles/ -> ArticleViewSet
ANY /api/articles/{pk}/ -> ArticleViewSet
ANY /admin/ -> admin.site.urls
ANY /late/ -> late
""",
    ),
    "express": (
        "app.js",
        "javascript",
        """
const express = require('express');
const app = express();
const users = express.Router();
users.get('/', auth, list);
users.route('/:id').get(show).patch(check, change);
app.use('/users', auth, users);
app.all(['/a', `/b`], (req, res) => {});
const table = [{ path: '/pets', route: pets }];
const pets = express.Router();
pets.post('/', add);
table.forEach((entry) => { app.use(entry.path, entry.route); });
app.get('setting');
client.get('/not/a/route', options);
""",
        """
GET /users -> list
GET /users/:id -> show
PATCH /users/:id -> change
ANY /a ->
ANY /b ->
POST /pets -> add
""",
    ),
    "nestjs": (
        "users.controller.ts",
        "typescript",
        """
@ApiTags('users')
@Controller({ path: 'users', version: '2' })
export class UsersController {
  @Get() findAll() {}
  @Post(':id/roles')
  @Roles('admin')
  async grant(@Param('id') id: string) {}
  @All(['x', 'y']) any() {}
}
app.setGlobalPrefix('api');
app.enableVersioning({ type: VersioningType.URI });
""",
        """
GET /api/v2/users -> findAll
POST /api/v2/users/:id/roles -> grant
ANY /api/v2/users/x -> any
ANY /api/v2/users/y -> any
""",
    ),
    "spring": (
        "Orders.java",
        "java",
        """
@RestController
@RequestMapping(path = "/orders")
class Orders {
  private static final String ONE = "/{id}";
  @GetMapping({"", "/all"}) List<Order> all() { return null; }
  @PutMapping(ONE) void put() {}
  @RequestMapping(value = "/x", method = {RequestMethod.GET, RequestMethod.POST}) void x() {}
  @RequestMapping("/any") void any() {}
}
@FeignClient("stock") interface Stock { @GetMapping("/stock") int stock(); }
""",
        """
GET /orders -> all
GET /orders/all -> all
PUT /orders/{id} -> put
GET /orders/x -> x
POST /orders/x -> x
ANY /orders/any -> any
""",
    ),
    "spring kotlin": (
        "Orders.kt",
        "kotlin",
        """
@RestController
@RequestMapping("/orders")
class Orders(private val all: All) {
    @GetMapping("/{id}") fun one(@PathVariable id: Long) = all.one(id)
    @PostMapping fun add() {}
}
""",
        """
GET /orders/{id} -> one
POST /orders -> add
""",
    ),
    "aspnet": (
        "CartController.cs",
        "csharp",
        """
[ApiController]
[Route("api/[controller]")]
public class CartController : ControllerBase {
  [HttpGet("{id:int}")] public int One(int id) { return 1; }
  [HttpPost, Authorize] public int Add() { return 1; }
  [HttpGet] [Route("[action]")] public int Total() { return 1; }
  [HttpDelete("/carts/{id}")] public int Drop(int id) { return 1; }
}
""",
        """
GET /api/Cart/{id:int} -> One
POST /api/Cart -> Add
GET /api/Cart/Total -> Total
DELETE /carts/{id} -> Drop
""",
    ),
    "aspnet minimal": (
        "Program.cs",
        "csharp",
        """
var app = builder.Build();
app.MapGet("/", () => "hi");
app.MapTodos();
app.MapMethods("/m", new[] { "GET", "PUT" }, Handle);
static class TodoApi {
  public static RouteGroupBuilder MapTodos(this IEndpointRouteBuilder routes) {
    var group = routes.MapGroup("/todos").RequireAuthorization();
    group.MapPost("{id}", Save).WithName("save");
    return group;
  }
}
""",
        """
GET / ->
GET /m -> Handle
PUT /m -> Handle
POST /todos/{id} -> Save
""",
    ),
    "rails": (
        "config/routes.rb",
        "ruby",
        """
Rails.application.routes.draw do
  root "home#index"
  concern :votable do
    post :vote, on: :member
  end
  scope :api do
    resources :articles, param: :slug, only: %i[index show] do
      resource :favorite, only: [:create]
      resources :comments, only: :index
      get :feed, on: :collection
      concerns :votable
    end
  end
  namespace :admin do
    get "stats", to: "stats#show"
    resources :users, except: [:new, :edit, :index, :create, :destroy, :show], path: "people"
  end
  match "/x" => "x#y", via: [:get, :post]
  mount Sidekiq::Web => "/jobs"
end
""",
        """
GET / -> home#index
GET /api/articles -> articles#index
GET /api/articles/:slug -> articles#show
POST /api/articles/:article_slug/favorite -> favorites#create
GET /api/articles/:article_slug/comments -> comments#index
GET /api/articles/feed -> articles#feed
POST /api/articles/:slug/vote -> articles#vote
GET /admin/stats -> admin/stats#show
PATCH /admin/people/:id -> admin/users#update
PUT /admin/people/:id -> admin/users#update
GET /x -> x#y
POST /x -> x#y
ANY /jobs -> Sidekiq::Web
""",
    ),
    "laravel": (
        "routes/web.php",
        "php",
        """<?php
Route::get('/', fn () => view('home'));
Route::prefix('admin')->middleware(['auth'])->group(function () {
    Route::controller(UserController::class)->group(function () {
        Route::post('/users', 'store');
    });
    Route::resource('blog-posts', PostController::class)->only(['show', 'update']);
    Route::apiResource('photos.comments', CommentController::class)->except('update', 'store');
});
Route::group(['prefix' => 'v1'], function () {
    Route::match(['get', 'post'], 'x', [XController::class, 'y'])->name('x');
});
""",
        """
GET / ->
POST /admin/users -> UserController@store
GET /admin/blog-posts/{blog_post} -> PostController@show
PUT /admin/blog-posts/{blog_post} -> PostController@update
PATCH /admin/blog-posts/{blog_post} -> PostController@update
GET /admin/photos/{photo}/comments -> CommentController@index
GET /admin/photos/{photo}/comments/{comment} -> CommentController@show
DELETE /admin/photos/{photo}/comments/{comment} -> CommentController@destroy
GET /v1/x -> XController@y
POST /v1/x -> XController@y
""",
    ),
    "gin": (
        "main.go",
        "go",
        """
package main
import "github.com/gin-gonic/gin"
const base = "/api"
func main() {
	r := gin.New()
	r.Any("/any", h)
	v1 := r.Group(base, auth)
	{
		v1.GET("/users/:id", mw, users.Get)
		admin := v1.Group("/admin")
		admin.Handle("DELETE", "/x", func(c *gin.Context) {})
	}
	register(v1.Group("/late"))
}
func register(g *gin.RouterGroup) { g.POST("", create) }
""",
        """
ANY /any -> h
GET /api/users/:id -> users.Get
DELETE /api/admin/x ->
POST /api/late -> create
""",
    ),
    "chi": (
        "main.go",
        "go",
        """
package main
import "github.com/go-chi/chi/v5"
func main() {
	r := chi.NewRouter()
	r.Get("/", index)
	r.Route("/articles", func(r chi.Router) {
		r.With(paginate).Get("/", list)
		r.Route("/{id}", func(r chi.Router) { r.Put("/", put) })
	})
	r.Group(func(r chi.Router) { r.Use(auth); r.Post("/x", x) })
	r.Mount("/admin", adminRouter())
}
func adminRouter() chi.Router {
	r := chi.NewRouter()
	r.Delete("/{id}", drop)
	r.MethodFunc("PATCH", "/y", y)
	return r
}
""",
        """
GET / -> index
GET /articles/ -> list
PUT /articles/{id}/ -> put
POST /x -> x
DELETE /admin/{id} -> drop
PATCH /admin/y -> y
""",
    ),
    "net/http": (
        "main.go",
        "go",
        """
package main
func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /items/{id}", get)
	http.Handle("/static/", files)
	mux.HandleFunc("api.example.com/x", x)
	r := mux2.NewRouter()
	s := r.PathPrefix("/v1").Subrouter()
	s.HandleFunc("/a", a).Methods("GET", http.MethodPost)
	http.ListenAndServe(":8080", mux)
}
""",
        """
GET /items/{id} -> get
ANY /static/ -> files
ANY api.example.com/x -> x
GET /v1/a -> a
POST /v1/a -> a
""",
    ),
    "actix": (
        "main.rs",
        "rust",
        """
use actix_web::{get, web, App};
#[get("/hello/{name}")]
async fn hello() -> impl Responder {}
fn config(cfg: &mut web::ServiceConfig) {
    cfg.service(
        web::scope("/users")
            .service(web::resource("/{id}").route(web::put().to(put)).route(web::get().to(get)))
            .route("", web::post().to(add)),
    );
}
fn main() {
    App::new().service(web::scope("/api").service(hello).configure(config)).route("/", web::get().to(index));
}
""",
        """
GET /api/hello/{name} -> hello
PUT /api/users/{id} -> put
GET /api/users/{id} -> get
POST /api/users -> add
GET / -> index
""",
    ),
    "axum": (
        "main.rs",
        "rust",
        """
use axum::{routing::{get, post}, Router};
fn users() -> Router { Router::new().route("/", get(list).post(add)).route("/:id", axum::routing::delete(drop)) }
fn app() -> Router {
    let api = Router::new().nest("/users", users()).route("/any", any(all));
    Router::new().nest("/api", api).merge(extra()).route("/inner", get(|| async {}))
}
fn extra() -> Router { Router::new().route("/extra", post(more)) }
""",
        """
GET /api/users/ -> list
POST /api/users/ -> add
DELETE /api/users/:id -> drop
ANY /api/any -> all
GET /inner ->
POST /extra -> more
""",
    ),
}


def read(path: str, text: str, language: str) -> FileRoutes:
    """What a file says of routes."""
    found = parse_file(path, text, language).routes
    assert found is not None
    return found


@pytest.mark.parametrize("framework", sorted(CASES))
def test_routes_of_a_file(framework: str) -> None:
    path, language, text, expected = CASES[framework]
    found = {f"{one.method} {one.path} -> {one.handler}".strip() for one in join_routes([read(path, text, language)])}
    assert found == {line.strip() for line in expected.strip().split("\n")}


@pytest.mark.parametrize("framework", sorted(CASES))
def test_half_typed_files_never_raise(framework: str) -> None:
    path, language, text, _ = CASES[framework]
    for end in range(0, len(text), 7):
        parse_file(path, text[:end], language)


def test_lines_are_those_of_the_declaration() -> None:
    path, language, text, _ = CASES["express"]
    routes = join_routes([read(path, text, language)])
    lines = {(one.method, one.path): one.line for one in routes}
    assert (
        lines[("PATCH", "/users/:id")]
        == text.split("\n").index("users.route('/:id').get(show).patch(check, change);") + 1
    )


def test_a_file_without_routes_has_none() -> None:
    assert parse_file("a.py", "def get(): ...\nclient.get('/x')\n", "python").routes is None


def test_deep_nesting_gives_up_the_routes_not_the_file() -> None:
    text = "const app = express();\napp.get('/x', y);\n" + "f(" * 3000 + ")" * 3000 + "\n"
    parsed = parse_file("a.js", text, "javascript")
    assert parsed.chunks
