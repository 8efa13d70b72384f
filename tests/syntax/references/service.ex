defmodule Acme.Svc do
  use GenServer, restart: :transient
  import Ecto.Query, only: [from: 2]
  alias Acme.{Repo, User}
  alias Acme.Other, as: O
  require Logger
  @behaviour Acme.Behaviour
  @impl true
  def load(id, %User{} = c) do
    u = Repo.get(User, id)
    helper(u, 1)
    u |> O.run() |> audit()
    Enum.map(list, &handler/1)
    Enum.each(list, &Acme.Util.go(&1))
    Logger.info("x")
    GenServer.call(__MODULE__, :x)
    %User{name: 1}
  end
  defp handler(x), do: x
  defp audit(x) when is_list(x), do: :ok
end
defimpl Enumerable, for: Acme.Svc do
  def count(x), do: Acme.Svc.load(x, 1)
end
