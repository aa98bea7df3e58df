/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <ventus/rv64_isa.h>
#include <ventus/tile.h>

#include "tile/memory.h"

/*
 * The RISC-V hart of a tile thread, an interpreter.
 *
 * Code is decoded a page at a time into slots, one for each two bytes; a slot
 * holds the operands of the instruction that starts there and the function
 * that executes it.  A function returns the slot to continue with:
 *
 *     pc    1000       1002       1004       1006
 *     slot  [ addi  ]  [   -   ]  [ c.add ]  [ beq  ] ...
 *              `--- i + 2 -------->  `- i + 1 ->  `--- i + imm / 2 --->
 *
 * and NULL when the hart stops: h->stop says why, h->pc where.  A slot that
 * nothing has reached yet has the function that decodes it.
 */
enum {
    HART_VLENB = 128,      /* bytes in a vector register */
    HART_PAGE_B = 4096,    /* code that one page of slots covers */
    HART_TAIL = 8,         /* slots that lead to the next page */
    HART_SINK = 32,        /* where results for x0 go */
    HART_PAGE_HASH = 1024, /* lists of pages */
};

enum hart_stop {
    HART_RUNS,
    HART_FAULT, /* h->fault */
    HART_ECALL, /* at the ecall; the pc is still there */
    HART_WAITS, /* a tile instruction cannot continue; try again */
    HART_COUNTS /* inside hart_run: instret is read, and is to be right */
};

struct hart;
struct hart_insn;
typedef const struct hart_insn *
hart_fn(struct hart *h, const struct hart_insn *i);

/* exec_table.c: of instructions of 2 and of 4 bytes. */
extern hart_fn *const hart_functions[VENTUS_RV64_OP_COUNT][2];

/* hart.c: of slots that hold no instruction yet; what is no instruction of the
 * hart's. */
hart_fn exec_decode, exec_cross, exec_tile, exec_illegal;

struct hart_insn {
    hart_fn *fn;
    uint64_t pc;
    int32_t imm; /* of a tile instruction: its index in hart_code.tile */
    uint8_t rd, rs1, rs2, rs3;
    uint16_t op, aux; /* aux of a branch: the target is in this page */
    uint8_t size, rm, vm;
};

struct hart_page {
    uint64_t base;
    struct hart_page *next;
    struct hart_insn slot[HART_PAGE_B / 2 + HART_TAIL];
};

/* Decoded code, shared by all harts of a machine. */
struct hart_code {
    struct hart_page *page[HART_PAGE_HASH];
    struct ventus_tile_insn *tile;
    unsigned tiles, tiles_capacity;
};

struct hart {
    uint64_t x[33]; /* [HART_SINK] is written instead of x0 */
    uint8_t *ram;   /* host address of guest address 0 */
    uint64_t fast;  /* guest addresses from MEMORY_BASE that need no check */
    uint64_t pc, f[32];
    struct hart_code *code;
    struct tile_memory *memory;
    uint64_t instret, cycle, reserved; /* reserved: of lr, or ~0 */
    bool counted; /* instret has all before the instruction that reads it */
    uint64_t mscratch, mstatus, mtvec;
    unsigned fflags, frm, vl, vtype, vlmax;
    unsigned pe, thread;
    enum hart_stop stop;
    struct ventus_tile_fault fault;
    uint8_t v[32][HART_VLENB];
};

/* ---- hart.c ---- */

/* Runs at most `count` instructions; sets h->stop, and h->pc. */
void
hart_run(struct hart *h, uint64_t count);

void
hart_reset(struct hart *h, uint64_t pc);

/* The slot of an address; NULL, and a fault, where there is no code. */
const struct hart_insn *
hart_find(struct hart *h, uint64_t pc);

void
hart_code_free(struct hart_code *code);

/* Invalidates all decoded code (fence.i). */
void
hart_code_flush(struct hart_code *code);

/* ---- stop.c ---- */

/* Stops at slot i. */
const struct hart_insn *
hart_stop(struct hart *h, const struct hart_insn *i, enum hart_stop why);

/* Stops at slot i with a fault, which h->fault describes. */
const struct hart_insn *
hart_fault(struct hart *h, const struct hart_insn *i,
           enum ventus_tile_cause cause, uint64_t value);

/* ---- issue.c ---- */

/* Memory outside of plain RAM, or with the checker on; false: a fault. */
bool
hart_load(struct hart *h, const struct hart_insn *i, uint64_t at, void *to,
          unsigned size);

bool
hart_store(struct hart *h, const struct hart_insn *i, uint64_t at,
           const void *from, unsigned size);
