/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/fifo.h"

/*
 * A typed port between two components: a queue of the hardware (fifo.h) and what
 * is in it.  PORT(mem_port, struct mem_request) declares struct mem_port and
 *
 *     mem_port_init(p, depth, latency, flows)
 *     mem_port_can_send(p, now)    the sender, before mem_port_send
 *     mem_port_send(p, now, item)
 *     mem_port_peek(p, now)        the receiver: the first item, or NULL
 *     mem_port_take(p, now)        that, and it leaves
 *     mem_port_next(p)             when its first item can be seen; or never
 *
 * Components have the same four for their own ports, as they look from outside:
 * COMPONENT_can_send, COMPONENT_send for what comes, COMPONENT_peek, COMPONENT_take for
 * what leaves.  The port of a cache or TLB to the L2 has `_l2` in its names, where what
 * leaves are requests and what comes are answers.
 */
#define PORT(name, type)                                                      \
    struct name {                                                             \
        struct fifo fifo;                                                     \
        type at[FIFO_MAX];                                                    \
    };                                                                        \
    static inline void name##_init(struct name *p, unsigned depth,            \
                                   unsigned latency, bool flows)              \
    {                                                                         \
        fifo_init(&p->fifo, depth, latency, flows);                           \
    }                                                                         \
    static inline bool name##_can_send(const struct name *p, uint64_t now)    \
    {                                                                         \
        return fifo_has_room(&p->fifo, now);                                  \
    }                                                                         \
    static inline void name##_send(struct name *p, uint64_t now, type item)   \
    {                                                                         \
        p->at[fifo_push(&p->fifo, now)] = item;                               \
    }                                                                         \
    static inline type const *name##_peek(const struct name *p, uint64_t now) \
    {                                                                         \
        return fifo_ready(&p->fifo, now) ? &p->at[p->fifo.head] : NULL;       \
    }                                                                         \
    static inline type name##_take(struct name *p, uint64_t now)              \
    {                                                                         \
        return p->at[fifo_pop(&p->fifo, now)];                                \
    }                                                                         \
    static inline uint64_t name##_next(const struct name *p)                  \
    {                                                                         \
        return fifo_next(&p->fifo);                                           \
    }
