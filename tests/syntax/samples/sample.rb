# frozen_string_literal: true

# Billing of customers.
require "json"
require_relative "../lib/tax_table"

VERSION = "1.0"

module Billing
  # An invoice.
  class Invoice < ApplicationRecord
    include Comparable
    belongs_to :customer
    attr_accessor :total, :paid
    LIMIT = 10

    def initialize(total)
      @total = total
    end

    def self.build(params)
      new(params[:total])
    end

    def paid?
      local = 1
      @paid
    end

    class << self
      def latest
        last
      end
    end

    private

    def secret=(value)
    end
  end

  module Helper
    def help; end
  end
end

class Billing::Refund
end

def top_level(a, b = 2)
  a + b
end
