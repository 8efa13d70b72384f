from __future__ import annotations
import a.b as c, os.path
from . import x as y, z
from ..pkg.mod import *
__all__ = ["z"]

class Foo(models.Model, Generic[T], metaclass=Meta):
    objects = Manager()
    client: Optional[Client] = None
    def __init__(self, repo: "Repo", *args: int, n: pkg.N | None = None) -> None:
        super().__init__(repo)
        self.repo = repo
        self.http = http or make_http()
        self.a, b = 1, 2
    @app.get("/x", deps=[Depends(z)])
    async def get(self) -> list[Foo]:
        x = await self.client.fetch(self.on_done)
        def inner():
            return c.run(y, key=helper)[0].foo(1, 2).bar()
        return x

def helper(): ...
value = pkg.Client()
