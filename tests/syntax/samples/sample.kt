package com.acme.shop

import kotlinx.coroutines.flow.Flow
import com.acme.util.check as verify

const val LIMIT = 10
val names: List<String> = listOf("a")

typealias Handler = (Request) -> Response

/** An order. */
@Serializable
data class Order(val id: Long, var state: State = State.OPEN) {
    val total: Int get() = 1

    init {
        verify(id)
    }

    fun close(): Order {
        val local = 1
        return copy(state = State.CLOSED)
    }

    companion object {
        fun of(id: Long) = Order(id)
    }
}

enum class State { OPEN, CLOSED }

sealed interface Result<out T> {
    fun get(): T
}

interface Repo {
    suspend fun find(id: Long): Order?
}

object Registry : Repo {
    override suspend fun find(id: Long): Order? = null
}

fun String.shout(): String = uppercase()

inline fun <reified T> parse(text: String): T {
    return TODO()
}
