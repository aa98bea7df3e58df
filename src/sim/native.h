/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "sim/lanes.h"
#include "sim/warp.h"

/*
 * The seam of the second engine: code of the host for pages of decoded instructions.
 *
 * The translator of the machine makes a function for each page of instructions that is
 * worth it; the interpreter runs until it is there.  The run loop warp_run_native enters
 * such a function at the start of a block, with the state of the warp in struct sim_warp;
 * the function leaves it before any instruction, with the state exactly as the interpreter
 * would have it there, so that nothing depends on when code arrives.  It may do an
 * instruction by calling the interpreter's function for it.  Faults come from these
 * functions only.
 *
 * Launches that are watched (statistics, steps, instrumentation) are interpreted.
 */

/* Forms of instructions, as the translator is told of them. */
enum native_form {
    NATIVE_OTHER, /* op->fn does it, and the run loop continues */
    NATIVE_CALL, /* op->fn does it: registers, memory and flags change, pc goes on */
    NATIVE_INDIRECT_JUMP, /* op->fn does it, and says where it continues */
    NATIVE_NOP,           /* nothing */
    NATIVE_SCALAR,        /* x[d] = KIND(x[s1], x[s2] + imm) */
    NATIVE_MOVE,          /* x[d] = x[s1] */
    NATIVE_CONSTANT,      /* x[d] = imm */
    NATIVE_CSR,           /* x[d] = w->constant of the CSR aux */
    NATIVE_VV,            /* as lanes_alu.c, kind is enum int_kind */
    NATIVE_VS,
    NATIVE_MERGE_V,
    NATIVE_MERGE_S,
    NATIVE_VID,
    NATIVE_FP_VV, /* as lanes_fp.c, kind is enum fp_kind */
    NATIVE_FP_VS,
    NATIVE_LOAD, /* as lanes_mem.c, kind is enum mem_kind, `mode` is set; also of `width`
                  * words, and with MEM_WIDE_ADDRESS, in MODE_OFFSET */
    NATIVE_STORE,
    NATIVE_SCALAR_LOAD, /* as lsu.c, also the wide ones */
    NATIVE_SCALAR_STORE,
    NATIVE_BRANCH,        /* to the op imm ops away, kind is enum branch_kind */
    NATIVE_JUMP,          /* the same, and x[d] = pc + 4 */
    NATIVE_THREAD_BRANCH, /* to pc + imm, as lanes_ctrl.c */
    NATIVE_JOIN,
    NATIVE_SETRPC,
    NATIVE_PAIR, /* x[d] = KIND of 64-bit numbers, `mode` is enum native_operands */
    NATIVE_PAIR_CONSTANT, /* x[d] = imm, x[d + 1] = aux, which has a sign */
    NATIVE_PAIR_VV,       /* as lanes_pair.c */
    NATIVE_PAIR_VS,
    NATIVE_PAIR_MERGE_V,
    NATIVE_PAIR_MERGE_S,
    NATIVE_FP_PAIR_VV, /* arithmetic and compares of doubles, as lanes_pair.c */
    NATIVE_FP_PAIR_VS,
    NATIVE_WIDE_VV, /* as any_width_wide, kind is enum wide_kind, `mode` as for pairs */
    NATIVE_WIDE_VS,
    NATIVE_PAIR_BRANCH, /* to pc + imm */
    NATIVE_PAIR_THREAD_BRANCH,
    NATIVE_FORMS
};

/* Operands of pairs: the immediate in place of x[s1] or x[s2]; x[s1] as both; those of
 * wide operations that are pairs. */
enum native_operands {
    NATIVE_IMM_1 = 1,
    NATIVE_IMM_2 = 2,
    NATIVE_BOTH_1 = 4,
    NATIVE_PAIR_1 = 8,
    NATIVE_PAIR_2 = 16
};

/* The registers that NATIVE_CALL may change: some from d on. */
enum { NATIVE_TO_X = 1, NATIVE_TO_V = 2, NATIVE_TO_MAX = 8 };

/* forms.c: functions that do one instruction, and where it continues; fn NULL ends the
 * table. */
enum native_flow { NATIVE_GOES_ON, NATIVE_FAR, NATIVE_INDIRECT, NATIVE_ENDS };

struct native_known {
    sim_fn *fn;
    enum native_form form;
    enum native_flow flow;
};

extern const struct native_known native_known[];

/* forms_wide.c: the form of an instruction on pairs or of a wide access, and its operands. */
enum native_form
native_form_of_wide(const struct sim_lanes *l, const struct sim_op *op,
                    uint8_t *mode);

/* The registers that the function of an instruction without control flow may change. */
uint8_t
native_results(const struct sim_op *op);

/* Fields are those of sim_op. */
struct native_op {
    uint32_t pc;
    int32_t imm;
    uint16_t index; /* of the op in its page */
    uint8_t form;   /* enum native_form */
    uint8_t leads;  /* a block begins here */
    uint8_t kind, words, slow, mode;
    uint8_t d, s1, s2, s3;
    uint16_t aux;
    uint8_t width, to; /* to: NATIVE_TO_* */
};

/* A page to translate: `n` ops, ascending by their index. */
enum { NATIVE_MAGIC = 0x314e5456 };

struct native_request {
    uint32_t magic, layout; /* native_layout() of the machine */
    uint32_t base;          /* pc of the page */
    uint32_t lanes;         /* sim_warp.lanes */
    uint32_t join_check;
    uint32_t better; /* effort: twice the time for code that is faster */
    uint32_t n;
    struct native_op op[];
};

/*
 * Translated code: does instructions from the entry on, and returns the next op, or NULL
 * as sim_fn does.  left is that of the next op before it is counted.  `entry` is the
 * page's table.
 */
enum { NATIVE_NO_ENTRY = 0xffff };

typedef const struct sim_op *
native_fn(struct sim_warp *w, const struct sim_op *ops, const uint16_t *entry,
          uint32_t at);

/* How the lanes of an access are in memory of the host. */
enum native_shape { NATIVE_GATHER, NATIVE_ROW, NATIVE_SAME };

/* The host address of lane 0 of a row, of all lanes if they have the same, or of the
 * offset 0 of gathers. */
struct native_place {
    uint8_t *host;
    uint32_t shape; /* enum native_shape */
    alignas(32) uint32_t
        offset[SIM_LANES_MAX]; /* of gathers; 0 of lanes that are off */
};

/* The bytes of an access and its words. */
enum { NATIVE_WORD = 4 | 1 << 8 };

/*
 * Functions for translated code, besides the interpreter's.  `lo` and `hi` are rows
 * of addresses less `imm`, `mask` has the active lanes and `exec` the same as bits; `how`
 * is the bytes of a word | words << 8.  The functions return 0 and have done nothing if
 * the access is not in one cached span: the interpreter does it, and finds faults.
 */
typedef uint32_t
native_find_fn(struct sim_warp *w, const uint32_t *lo, const uint32_t *hi,
               const uint32_t *mask, uint64_t exec, int32_t imm, uint32_t how,
               struct native_place *p);

typedef uint32_t
native_store_fn(struct sim_warp *w, const uint32_t *lo, const uint32_t *hi,
                const uint32_t *mask, uint64_t exec, int32_t imm, uint32_t how,
                const uint32_t *data);

struct native_calls {
    /* By 64-bit addresses, and whether lanes may be off. */
    native_find_fn *find[2][2]; /* of loads */
    native_store_fn *store[2][2];
    /* Addresses of offsets of private memory; 0: a lane that is on is outside. */
    uint32_t (*find_private)(struct sim_warp *w, const uint32_t *offset,
                             int32_t imm, const uint32_t *mask, uint32_t bytes,
                             uint32_t writes, uint32_t *to);
    /* Interprets n instructions; returns what the function of the last did. */
    const struct sim_op *(*interpret)(struct sim_warp *w,
                                      const struct sim_op *op, uint64_t n);
};

/* Code of a page: not changed once the run loop sees it. */
struct native_code {
    native_fn *run;
    void *image;                    /* of the translator */
    struct native_code *next;       /* of those that are replaced */
    uint16_t entry[CODE_WORDS + 2]; /* number of the block at an op */
};

/* Knowledge of a page; its owner is who changes struct sim_native. */
struct native_page {
    uint64_t reached[CODE_WORDS / 64], leads[CODE_WORDS / 64];
    bool changed;       /* since its code was asked for */
    bool quick, better; /* code of this effort was asked for */
};

/*
 * Makes code, of one page at a time: start() begins, take() delivers.  Both are called by
 * any thread that runs the machine, never by two at once.
 */
struct sim_translator {
    void *ctx;
    const struct native_calls *calls; /* for the code */
    /* Code is asked for when so many instructions of a page were interpreted, and comes
     * while a launch runs; better code when it has done NATIVE_WEIGHT times as many.  0:
     * better code of all pages that a launch can reach, before it runs. */
    uint64_t hot;
    /* False: *why says why not, a text that stays until the next call. */
    bool (*start)(void *ctx, const struct native_request *r, const char **why);
    /* False: it is not there yet; never with `wait`.  Else *run is the function, and
     * *image is what `release` frees; or *run is NULL, and *why says why. */
    bool (*take)(void *ctx, bool wait, native_fn **run, void **image,
                 const char **why);
    /* Ends the request that was started. */
    void (*drop)(void *ctx);
    void (*release)(void *ctx, void *image);
};

enum { NATIVE_WEIGHT = 8 };

struct sim_run;

/* A number that differs between builds whose structures differ. */
uint32_t
native_layout(void);

/* native.c: the pages of the machine that are reached from pc, and what is in them. */
void
native_reach(struct sim_worker *k, uint32_t pc);

/* Appends the request for a page, and fills in where its blocks begin. */
void
native_describe(const struct ventus_sim *sim, const struct sim_code_page *p,
                uint16_t *entry, struct buf *to);

/* native_run.c: whether this launch may run translated code.  With `hot` 0 all that it
 * reaches is translated. */
bool
native_prepare(struct sim_run *run);

/* Forgets the code of all pages: some of it was changed, or the machine ends. */
void
native_forget(struct ventus_sim *sim);

/* warp_run, which enters translated code where there is some. */
void
warp_run_native(struct sim_warp *w, uint64_t instructions);

/* Some slices of a host thread are over, the last was of this warp: has code made of what
 * is hot, and takes what is there. */
void
native_look(struct sim_worker *k, const struct sim_warp *w);

/* The same for all threads when a launch is over: many launches may be short. */
void
native_end(struct sim_run *run);

/* Gives a machine a translator, which lives longer, before its first launch. */
void
native_attach(struct ventus_sim *sim, const struct sim_translator *t);

/* Why no launch of this machine runs translated code; NULL: they may. */
const char *
native_obstacle(const struct ventus_sim *sim);

/* Instructions that ran so far in launches that may run translated code, and why some
 * code was not translated, or NULL. */
struct native_share {
    uint64_t translated, interpreted;
    const char *why;
};

struct native_share
native_share(const struct ventus_sim *sim);
