/** Routes requests. */
package com.acme.web

import scala.concurrent.{ExecutionContext, Future => Later}
import com.acme.core._

sealed trait Event {
  def name: String
}

case class Created(id: Long, at: Long) extends Event {
  val name = "created"
  def describe(prefix: String): String = {
    val local = 1
    prefix + name
  }
}

object Router {
  val Limit = 10
  type Handler = Request => Response

  def route(request: Request)(implicit ec: ExecutionContext): Later[Response] = {
    def inner(x: Int) = x
    handle(request)
  }
}

enum Color {
  case Red, Green
}

class Service[T](dep: Dep) {
  private var count: Int = 0
  def run(): Unit = ()
}

given intOrd: Ordering[Int] with {
  def compare(a: Int, b: Int) = 0
}
