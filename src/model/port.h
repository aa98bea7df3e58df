/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/fifo.h"

/*
 * A typed port between two components: a queue of the hardware (fifo.h) and what
 * is in it.  PORT(mem_port, struct mem_request) declares struct mem_port and
 *
 *     mem_port_init(p, depth, latency, flows)
 *     mem_port_has_room(p, now)    for the sender, before mem_port_push
 *     mem_port_push(p, now, item)
 *     mem_port_ready(p, now)       for the receiver, before the next two
 *     mem_port_front(p)
 *     mem_port_pop(p, now)
 *     mem_port_next(p)             when its first item can be seen; or never
 */
#define PORT(name, type)                                                    \
    struct name {                                                           \
        struct fifo fifo;                                                   \
        type at[FIFO_MAX];                                                  \
    };                                                                      \
    static inline void name##_init(struct name *p, unsigned depth,          \
                                   unsigned latency, bool flows)            \
    {                                                                       \
        fifo_init(&p->fifo, depth, latency, flows);                         \
    }                                                                       \
    static inline bool name##_has_room(const struct name *p, uint64_t now)  \
    {                                                                       \
        return fifo_has_room(&p->fifo, now);                                \
    }                                                                       \
    static inline void name##_push(struct name *p, uint64_t now, type item) \
    {                                                                       \
        p->at[fifo_push(&p->fifo, now)] = item;                             \
    }                                                                       \
    static inline bool name##_ready(const struct name *p, uint64_t now)     \
    {                                                                       \
        return fifo_ready(&p->fifo, now);                                   \
    }                                                                       \
    static inline type const *name##_front(const struct name *p)            \
    {                                                                       \
        debug_assert(p->fifo.n);                                            \
        return &p->at[p->fifo.head];                                        \
    }                                                                       \
    static inline type name##_pop(struct name *p, uint64_t now)             \
    {                                                                       \
        return p->at[fifo_pop(&p->fifo, now)];                              \
    }                                                                       \
    static inline uint64_t name##_next(const struct name *p)                \
    {                                                                       \
        return fifo_next(&p->fifo);                                         \
    }
