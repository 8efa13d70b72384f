/*
 * Licensed under the Apache License, Version 2.0.
 */
package com.acme.shop;

import java.util.List;
import static com.acme.util.Checks.notNull;

/**
 * Serves orders.
 */
@RestController
@RequestMapping("/orders")
public class OrderController<T> extends Base implements Handler {
    private static final int LIMIT = 10;
    @Autowired
    private OrderService service;

    public OrderController(OrderService service) {
        this.service = service;
    }

    /** Finds one. */
    @GetMapping("/{id}")
    public Order find(@PathVariable long id) throws NotFound {
        Runnable r = () -> {};
        return service.find(id);
    }

    enum State {
        OPEN, CLOSED;

        boolean done() {
            return this == CLOSED;
        }
    }

    static class Inner {
    }
}

interface Handler {
    void handle(Request request);

    default int order() {
        return 0;
    }
}

record Point(int x, int y) {
    Point {
        notNull(x);
    }
}

@interface Marker {
    String value() default "";
}
