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
    enum { COLLECT_IDLE, COLLECT_ENTERS, COLLECT_READS, COLLECT_OUT } state;
    uint64_t since;
    uint64_t there[4]; /* when an operand has come */
    uint8_t missing;   /* operands that have not */
    uint8_t slot[4];   /* bank of each: 2 * bank + (is a vector) */
    struct flight *f;
};

/* Bits are collectors. */
struct collect {
    struct collector *at;
    uint64_t all, used, reading, out;
    uint64_t entering, arriving;   /* new; with an operand on its way */
    uint64_t wants[2 * MAX_BANKS]; /* who asks a bank */
    uint64_t asked;                /* bits of banks that somebody asks */
    unsigned next[2 * MAX_BANKS];  /* round robin of each bank */
};

void
collect_cycle(struct sm *s);

void
collect_enter(struct sm *s, struct flight *f);

bool
collect_has_room(const struct sm *s);

struct flight *
flight_new(struct sm *s);

void
flight_free(struct sm *s, struct flight *f);
