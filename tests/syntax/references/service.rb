require "json"
require_relative "../lib/util"
module Web
  class Svc < Base::Record
    include Enumerable, Comparable
    extend ActiveSupport::Concern
    prepend Foo
    attr_reader :repo
    has_many :items, class_name: "Item"
    before_action :authenticate, only: [:show]
    LIMIT = compute(1)
    def initialize(repo, http: Http.new)
      super()
      @repo = repo
      @http = Net::Http.new(1, 2)
      @@count ||= Counter.build
    end
    def self.build(x) = new(x)
    def load(id)
      u = @repo.find(id)
      x = Item.new
      helper u, 1
      self.audit(u)
      u&.name.strip
      puts "a"
      items.map(&:go).each { |i| i.run!(1) }
      list.each(&method(:handle))
      Foo::Bar.call
      raise NotFound, "x" unless u
      yield u
    end
    def audit(u) = @http.post(u)
  end
end
Web::Svc.new(1).load 2
