/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/decode.h"

enum { MAX_BANKS = 32, MAX_FLIGHTS = 80 };

/* An instruction between issue and its end. */
struct flight {
    const struct model_op *op;
    uint64_t id; /* in order of issue */
    uint8_t warp;
    bool jump, scalar;
    bool kept; /* by its unit, which gives it back */
    uint32_t target;
    uint64_t lanes; /* active */
    unsigned access_B;
    unsigned busy; /* cycles in the SFU */
    uint64_t at[64];
};

struct flights {
    struct flight at[MAX_FLIGHTS];
    uint8_t free[MAX_FLIGHTS];
    unsigned frees;
};

struct collector {
    uint8_t missing; /* operands that have not come */
    uint8_t slot[4]; /* bank of each: 2 * bank + (is a vector) */
    struct flight *f;
};

enum {
    MAX_COLLECTORS = 64,
    REQUESTS = 4 * MAX_COLLECTORS, /* collector * 4 + operand */
    REQUEST_WORDS = REQUESTS / 64,
    ON_THE_WAY = 2 /* cycles until a collector knows what it has */
};

/* A scalar or vector half of a register bank. */
struct bank {
    uint64_t asks[REQUEST_WORDS]; /* bits are requests */
    unsigned next;                /* round robin */
};

/* Requests that were served in a cycle and have not come. */
struct coming {
    unsigned n;
    uint8_t request[2 * MAX_BANKS];
};

/* Bits are collectors. */
struct collect {
    struct collector *at;
    uint64_t all, used, reading, out;
    uint64_t entered; /* in the last cycle, with nothing to read */
    unsigned words;   /* of each set of requests that are in use */
    unsigned waiting; /* operands that no bank gave */
    uint64_t asked;   /* bits of banks that somebody asks */
    struct bank bank[2 * MAX_BANKS];
    uint64_t given[REQUEST_WORDS]; /* requests that were served */
    struct coming coming[ON_THE_WAY];
};

void
collect_cycle(struct sm *s);

void
collect_reset(struct sm *s);

void
collect_enter(struct sm *s, struct flight *f);

bool
collect_has_room(const struct sm *s);

struct flight *
flight_new(struct sm *s);

void
flight_free(struct sm *s, struct flight *f);
