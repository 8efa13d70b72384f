# Keeps accounts.
defmodule Bank.Account do
  @moduledoc """
  Accounts of the bank.
  """
  use GenServer
  import Ecto.Query, only: [from: 2]
  alias Bank.{Ledger, Repo}
  require Logger

  @limit 10
  @type t :: %__MODULE__{}
  defstruct [:id, :balance]

  @doc "Opens one."
  @spec open(integer) :: t
  def open(id) when is_integer(id) do
    %__MODULE__{id: id}
  end

  def close(%{id: id}), do: id

  defp check(account) do
    account
  end

  defmacro trace(expr) do
    expr
  end

  defguard is_open(x) when x == :open

  defmodule Error do
    defexception [:message]
  end
end

defprotocol Bank.Show do
  def show(value)
end

defimpl Bank.Show, for: Bank.Account do
  def show(_), do: "account"
end
