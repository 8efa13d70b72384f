-- Handles events.
local json = require("lib.json")
local M = {}

local LIMIT = 10
counter = 0

-- Adds one.
local function add(a, b)
  return a + b
end

function M.run(events)
  local inner = function() end
  return add(1, 2)
end

function M.Queue:push(item)
  self.items[#self.items + 1] = item
end

M.handler = function(event)
  return event
end

local later = function(x) return x end

function global_one() end

return M
