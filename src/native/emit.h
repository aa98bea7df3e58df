/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <llvm-c/Core.h>

#include "sim/native.h"
#include "sim/state.h"

/*
 * A page under translation, as an LLVM function with a basic block for each block of
 * instructions and version:
 *
 *     full     all lanes are active, so results need no mask
 *     partial  some are not
 *
 * Between instructions vectors are in struct sim_warp.  Those instructions on them that
 * have no other effect, and loads, are kept back, and then done a strip of eight lanes at
 * a time, in a loop over the strips, so that values of a strip are in registers of the
 * host from one to the next.  Scalars are values inside a block; those that were written
 * are stored before anything that may leave it.
 *
 * The places of all loads that are kept back are found before the loop, when nothing has
 * been done yet.  If one is not in a cached span, the interpreter does all that was kept
 * back, so that a fault finds the state exactly as it is at its instruction.
 */
enum { STRIP_LANES = 8, STRIPS_MAX = SIM_LANES_MAX / STRIP_LANES };
enum version { FULL, PARTIAL, VERSIONS };

/* A vector instruction that is kept back. */
struct kept {
    const struct native_op *op;
    LLVMValueRef scalar; /* x[s1] + imm, of 64 bits for pairs, or NULL */
    /* Operands and outcome of finding the place of a load. */
    LLVMValueRef step; /* x[s2], or NULL */
    LLVMValueRef room, host, shape;
};

/* Memory of translated code for one access. */
struct room {
    struct native_place place;
    alignas(32) uint32_t address[SIM_LANES_MAX], high[SIM_LANES_MAX],
        mask[SIM_LANES_MAX];
};

enum { ROOMS = 8 }; /* loads that are kept back at once */

struct emit {
    const struct native_request *r;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMTypeRef i1, i8, i16, i32, i64, ptr, strip, half, handler;
    LLVMValueRef function, w, ops, entry; /* and its parameters */
    LLVMValueRef v, host;                 /* w->v, w->fp */
    LLVMValueRef room[ROOMS];
    unsigned strips;

    LLVMBasicBlockRef
        dispatch; /* continues at the op `next`, NULL: returns it */
    LLVMValueRef next;
    LLVMBasicBlockRef leave, stop; /* return the op `leaves`, and NULL */
    LLVMValueRef leaves;
    LLVMBasicBlockRef (*block)[VERSIONS]; /* by entry */
    int *entry_of;                        /* by index of an op; -1 */

    /* The block that is being made. */
    enum version version;
    LLVMValueRef left; /* instructions that are left at its start */
    unsigned done;     /* of its instructions, that of `op` included */
    LLVMValueRef x[X_COUNT];
    bool x_dirty[X_COUNT];

    /* The strip that is being made: its offset in bytes, registers, active lanes. */
    LLVMValueRef offset, vec[SIM_VREGS], lane;
    bool vec_dirty[SIM_VREGS];
    struct kept kept[CODE_WORDS];
    unsigned n_kept, n_loads;
    bool pending[SIM_VREGS + NATIVE_TO_MAX]; /* registers that they change */
    struct {
        unsigned done;
        LLVMValueRef x[X_COUNT];
        bool x_dirty[X_COUNT];
        LLVMValueRef rpc; /* NULL: it is the same */
    } before;             /* the state before the first of them */
    const char *wrong;    /* why the page cannot be translated */
};

/* ---- emit.c: state ---- */

/* The address of a member of the warp. */
LLVMValueRef
emit_member(struct emit *e, size_t offset);

LLVMValueRef
emit_int(struct emit *e, uint32_t value);

/* Calls a function of templates.c. */
LLVMValueRef
emit_call(struct emit *e, const char *name, LLVMValueRef *args, unsigned n);

LLVMValueRef
emit_x(struct emit *e, unsigned r);

void
emit_set_x(struct emit *e, unsigned r, LLVMValueRef value);

/* Begins with a strip; registers of it are not known. */
void
emit_begin_strip(struct emit *e, LLVMValueRef offset);

/* The same for a strip that is known now. */
void
emit_begin_strip_number(struct emit *e, unsigned s);

LLVMValueRef
emit_vec(struct emit *e, unsigned r);

void
emit_set_vec(struct emit *e, unsigned r, LLVMValueRef value);

/* Stores the registers of the strip that were written. */
void
emit_end_strip(struct emit *e);

/* The address of the strip in a row. */
LLVMValueRef
emit_in_row(struct emit *e, LLVMValueRef row);

LLVMBasicBlockRef
emit_block(struct emit *e, const char *name);

/* The address of an op. */
LLVMValueRef
emit_op(struct emit *e, unsigned index);

/* The value in all lanes of a strip. */
LLVMValueRef
emit_splat(struct emit *e, LLVMValueRef value);

/* Stores scalars that were written and what is left; they stay known. */
void
emit_store_state(struct emit *e);

/* A register of the warp, in memory. */
LLVMValueRef
emit_row(struct emit *e, unsigned r);

/* Scalars are unknown from now on. */
void
emit_forget(struct emit *e);

/* Scalars that op may have changed are unknown from now on. */
void
emit_forget_results(struct emit *e, const struct native_op *op);

/* Calls the interpreter's function for op, with the state stored; returns from the
 * translated code if it returns NULL. */
LLVMValueRef
emit_interpret(struct emit *e, const struct native_op *op);

/* The bits 0 of v0, as a mask of the strip. */
LLVMValueRef
emit_v0_mask(struct emit *e);

/* The lanes of the strip in which op acts, 0 or ~0 each; NULL: all. */
LLVMValueRef
emit_mask(struct emit *e, const struct native_op *op);

/* `on` where the mask is set, else `off`. */
LLVMValueRef
emit_blend(struct emit *e, LLVMValueRef mask, LLVMValueRef on,
           LLVMValueRef off);

/* The bits of the lanes that are set in a mask of the strip. */
LLVMValueRef
emit_bits(struct emit *e, LLVMValueRef mask);

/* Continues at the op that a function of the interpreter has returned. */
void
emit_go_on_at(struct emit *e, LLVMValueRef next);

/* ---- emit_vector.c, emit_memory.c ---- */

void
emit_keep(struct emit *e, const struct native_op *op);

/* Whether a load has to wait for what is kept back. */
bool
emit_load_waits(const struct emit *e, const struct native_op *op);

/* Does what was kept back. */
void
emit_kept(struct emit *e);

/* The same, and the outcomes of a branch of threads, a bit a lane. */
LLVMValueRef
emit_outcomes(struct emit *e, const struct native_op *op);

void
emit_access(struct emit *e, const struct native_op *op);

/* Finds the place of a load that is kept back; goes to `slow` if it is in no cached
 * span. */
void
emit_find(struct emit *e, struct kept *k, LLVMBasicBlockRef slow);

/* The strip of word `word` at that place, in the lanes of the mask; NULL: in all. */
LLVMValueRef
emit_fetch(struct emit *e, const struct kept *k, unsigned word,
           LLVMValueRef mask);

/* Words that an access has of each lane. */
unsigned
emit_words(const struct native_op *op);

/* The function at an offset in struct native_calls, called. */
LLVMValueRef
emit_outside(struct emit *e, size_t offset, LLVMTypeRef result,
             LLVMValueRef *args, unsigned n);

/* The constant address of a member of something in memory. */
LLVMValueRef
emit_at(struct emit *e, LLVMValueRef what, size_t offset);

/* Calls PREFIX_NAME of templates.c. */
LLVMValueRef
emit_named(struct emit *e, const char *prefix, const char *name,
           LLVMValueRef *args, unsigned n);

extern const char *const emit_int_names[], *const emit_branch_names[];
extern const char *const emit_fp_names[];

/*
 * ---- emit_pair.c ----
 *
 * A strip of numbers of 64 bits is two vectors of four: the lanes 0, 1, 4, 5 and the
 * lanes 2, 3, 6, 7, since this takes one instruction of the host each way.
 */

/* A pair of scalar registers, as an operand; an odd one has 32 bits and a sign. */
LLVMValueRef
emit_pair_x(struct emit *e, unsigned r);

/* The scalar operand of a vector instruction on pairs. */
LLVMValueRef
emit_pair_scalar(struct emit *e, const struct native_op *op);

void
emit_pair(struct emit *e, const struct native_op *op);

void
emit_pair_constant(struct emit *e, const struct native_op *op);

/* 1 if a branch is taken, else 0. */
LLVMValueRef
emit_pair_taken(struct emit *e, const struct native_op *op);

/* The same for the threads of a strip. */
LLVMValueRef
emit_pair_outcomes(struct emit *e, const struct native_op *op);

/* A strip of a vector instruction on pairs. */
void
emit_pair_strip(struct emit *e, const struct native_op *op,
                LLVMValueRef scalar);

/* ---- emit_page.c ---- */

/* Makes the function `page` of a request in a module that has the templates; false:
 * *why says why not. */
bool
emit_page(LLVMModuleRef module, const struct native_request *r,
          const char **why);
