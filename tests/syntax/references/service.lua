local json = require("json")
local util = require "lib.util"
require("boot")
local M = {}
function M.load(id)
  local u = M.repo:find(id)
  local x = Svc.new(1)
  helper(u)
  self.http:get():body(u)
  util.each(list, handler)
  return json.encode { a = 1 }
end
function M:run(x) self:load(x); M.load(x) end
local function handler(x) print(x) end
setmetatable(M, { __index = Base })
return M
