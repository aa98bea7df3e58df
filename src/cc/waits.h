/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "ir/ir.h"

/*
 * The loops that a work-item may stay in until another one writes memory, and which
 * writes these are (scalar machine IR, before it is known what is divergent).
 *
 *     while (atomic_cmpxchg(lock, 0, 1) != 0)     waits: the read decides whether
 *         ;                                       the loop continues
 *     critical section
 *     atomic_xchg(lock, 0);                       ends the wait of others
 */
enum { WAITS_ROOTS = 6 };

/* An access to global or local memory, or a call that may make some. */
struct waits_access {
    struct ir_insn *in;
    ir_val root[WAITS_ROOTS]; /* what its address is computed from */
    unsigned n_roots;
    uint8_t space;
    bool anywhere; /* its address may be any */
    bool reads, writes;
    bool plain; /* neither atomic nor volatile */
};

/* A loop that waits. */
struct waits_loop {
    const struct ir_loop *loop;
    vec(const struct waits_access *) reads;
};

struct waits {
    struct ir_func *f;
    vec(struct waits_access) accesses;
    vec(struct waits_loop)
        loops; /* outer ones before those that they contain */
};

/* f must be analysed; nothing is found if it has no loop with an atomic, a
 * volatile access, a fence or a call. */
struct waits
waits_find(struct ir_func *f);

/* The access may end the wait of a work-item in the loop. */
bool
waits_is_ended_by(const struct waits *w, const struct waits_loop *l,
                  const struct waits_access *by);

/* The lanes of a warp meet there, or all warps of the group: what comes after it no
 * work-item may wait for before it. */
bool
waits_is_barrier(const struct ir_insn *in);
