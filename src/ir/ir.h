/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <ventus/isa.h>

#include "base/arena.h"
#include "base/debug_assert.h"
#include "base/diag.h"
#include "base/vec.h"

/*
 * Machine IR: a function is a graph of blocks, a block a list of instructions,
 * an instruction a row of the ISA table (or one of a few pseudo operations)
 * whose registers are values.  The structs are the same from translation to
 * emission; the form changes:
 *
 *   scalar        SSA: the code of one thread, in scalar instructions, as in
 *                 LLVM.  Divergence is not known yet.
 *   vector        SSA: divergent values are in vector registers (class V),
 *                 defined by vector instructions; uniform ones are scalar (S).
 *   out of SSA    no phis: variables may have several definitions.
 *   allocated     every value has a register.
 *
 * Values are numbers; value 0 is none, IR_ZERO is x0.  A double is one value
 * of two words, an even register pair; a 64-bit integer is two values.
 *
 * Control flow of a block is its last instruction and succ[]: IR_JUMP goes to
 * succ[0]; a conditional branch (beq ... of scalars, vbeq ... of vectors) goes
 * to succ[0] if its condition holds, else to succ[1]; IR_RET has none.
 *
 * Everything is in the arena of the function; nothing is freed.
 */
typedef uint32_t ir_val;

enum ir_form {
    IR_FORM_SCALAR,
    IR_FORM_VECTOR,
    IR_FORM_OUT_OF_SSA,
    IR_FORM_ALLOCATED
};

enum { IR_NONE = 0, IR_ZERO = 1 };

enum ir_class { IR_S, IR_V };

/* Pseudo operations: X(id, name, sources; -1: any number). */
#define IR_PSEUDO_LIST(X)                                                      \
    X(PHI, "phi", -1)  /* one source for each predecessor */                   \
    X(COPY, "copy", 1) /* from S to V, too: all active lanes */                \
    X(PARCOPY, "parcopy",                                                      \
      -1)                /* dst, src, dst, src ...; all at the same time */    \
    X(UNDEF, "undef", 0) /* any value */                                       \
    X(UNWRITTEN, "unwritten",                                                  \
      0)                   /* value of a variable before its first store: 0 */ \
    X(CONST, "const", 0)   /* imm */                                           \
    X(SYMBOL, "symbol", 0) /* address of symbol + imm */                       \
    X(PAIR, "pair", 2)     /* two words as one value: low, high */             \
    X(LO, "lo", 1)         /* the low word of a pair */                        \
    X(HI, "hi", 1)         /* the high word */                                 \
    X(SEXT, "sext", 1)     /* a word as a pair, with its sign */               \
    X(ZEXT, "zext", 1)     /* a word as a pair, the high one 0 */              \
    X(SEQ, "seq", 2)       /* 0 or 1: compares that RV32I lacks */             \
    X(SNE, "sne", 2)                                                           \
    X(SLE, "sle", 2)                                                           \
    X(SLEU, "sleu", 2)                                                         \
    X(MIN, "min", 2)                                                           \
    X(MAX, "max", 2)                                                           \
    X(MINU, "minu", 2)                                                         \
    X(MAXU, "maxu", 2)                                                         \
    X(SADD, "sadd", 2) /* saturating, of the width in `half` */                \
    X(SADDU, "saddu", 2)                                                       \
    X(SSUB, "ssub", 2)                                                         \
    X(SSUBU, "ssubu", 2)                                                       \
    X(HADD, "hadd", 2) /* average, rounded by rm: vxrm */                      \
    X(HADDU, "haddu", 2)                                                       \
    X(CLIP, "clip", 1)     /* saturates to the width in `half` */              \
    X(WIDEN, "widen", 1)   /* half to float */                                 \
    X(NARROW, "narrow", 1) /* float to half */                                 \
    X(SELECT, "select", 3) /* source 1 (0 or 1) ? source 2 : source 3 */       \
    X(UNIFORM, "uniform",                                                      \
      1)                 /* value of one active lane, common to the warp */    \
    X(FRAME, "frame", 0) /* start of the callees' private memory */            \
    X(ENTER, "enter", 0) /* the start of a function: its parameters */         \
    X(CALL, "call", 0)   /* a call of a function */                            \
    X(JUMP, "jump", 0)                                                         \
    X(RET, "ret", 0)

enum ir_op {
    IR_FIRST = VENTUS_ISA_OP_COUNT, /* numbers below: enum ventus_isa_op */
#define X(id, name, n) IR_##id,
    IR_PSEUDO_LIST(X)
#undef X
        IR_OP_COUNT
};

/* The address space of a load, store or atomic. */
enum ir_space {
    IR_SPACE_GLOBAL,
    IR_SPACE_LOCAL,
    IR_SPACE_CONST,
    IR_SPACE_PRIVATE
};

/* The vxrm CSR in ir_insn.rm of an average: to nearest and up, or down. */
enum ir_vxrm { VXRM_RNU = 0, VXRM_RDN = 2 };

/* Elements of an instruction narrower than 32 bits (SEW). */
enum ir_half { IR_HALF = 1, IR_BYTE = 2 };

struct ir_block;

/* A word of the value of a variable in the source. */
struct ir_debug_word {
    ir_val v;       /* IR_ZERO: the number `imm`; IR_NONE: unknown */
    uint32_t imm;   /* the number of IR_ZERO */
    uint8_t size_B; /* bytes of the variable, from the low end of v: 1 to 8 */
};

/* A step of an expression that computes a variable: DWARF operations after a word. */
struct ir_debug_step {
    int word; /* word that is pushed first; -1: none */
    const uint8_t *operations;
    size_t size;
};

/* A debug value: from its position on, bytes of a variable of the source are these
 * words.  It is attached before an instruction without being one, so that passes do
 * the same with and without it: a pass that removes the instruction leaves it to the
 * next one, a pass that removes the value leaves the variable unknown
 * (docs/decisions/0010-debug-values.md). */
struct ir_debug {
    struct ir_debug *next; /* next one before the same instruction */
    uint32_t variable;
    uint32_t offset_B, size_B; /* range of the variable */
    struct ir_debug_word *word;
    unsigned n;
    bool is_address;                  /* the word is the variable's address */
    const struct ir_debug_step *step; /* expression over the words; or NULL */
    unsigned n_steps;
    uint32_t slot; /* used by debuginfo/flow.c */
};

/* The object in the source that an access belongs to: a check tests that the access is
 * inside. */
enum ir_object_kind { IR_OBJECT_ARGUMENT, IR_OBJECT_LOCAL, IR_OBJECT_PRIVATE };

struct ir_object {
    enum ir_object_kind kind;
    /* Offset in the kernel's own memory; for an argument its number. */
    uint32_t at;
    uint32_t size_B; /* 0 for an argument: known at the launch */
};

struct ir_insn {
    struct ir_insn *prev, *next;
    struct ir_block *block;
    uint16_t op;   /* enum ventus_isa_op or enum ir_op */
    uint8_t pair;  /* 64-bit operands are register pairs */
    uint8_t half;  /* enum ir_half; in a copy: only these bits are live */
    uint8_t rm;    /* rounding mode of scalar floating point; vxrm of hadd */
    uint8_t space; /* enum ir_space */
    bool masked;   /* executes only in lanes with bit 0 of `mask` set */
    bool is_volatile;
    bool is_exchange; /* an access to values between the lanes of a sub-group */
    uint8_t hint;     /* enum ventus_isa_hint of loads and stores */
    uint8_t aqrl;
    /* Number, from 1, of the accessed object in ir_func.objects; 0: unknown. */
    uint16_t object;
    uint8_t abs, neg; /* modifiers of sources 1 to 3, by bit: |x|, -x, -|x| */
    uint16_t aux;     /* CSR number, fence order */
    int32_t imm;
    ir_val dst;
    /* By enum ventus_isa_slot; [0]: dst before the instruction (vmacc). */
    ir_val src[4];
    ir_val mask; /* of masked instructions and vmerge: must be in v0 */
    /* Operands of phi and parcopy.  For enter, call, ret: n_in sources, then n_out
     * results, then (call) other values that it writes.  For loads and stores of
     * several words: the n_out values after dst, the n_in after src[2], in consecutive
     * registers. */
    ir_val *many;
    unsigned n_many, n_in, n_out;
    const char *symbol;
    struct ir_func *callee; /* function that is called */
    /* Loads, stores: number of the spilled word they access; 0: none. */
    uint32_t spill;
    ir_val spilled;              /* value that the spilled word belongs to */
    uint32_t line, column, file; /* position in the source; 0: unknown */
    uint32_t scope;              /* scope of that position; 0: unknown */
    struct ir_debug *debug;      /* debug values before the instruction */
    uint32_t at;                 /* offset of its code in bytes */
};

struct ir_value {
    uint8_t cls;    /* enum ir_class */
    uint8_t words;  /* 1 or 2 */
    bool divergent; /* scalar form: may differ between threads */
    bool no_spill;  /* a temporary of spill code, which must not be spilled */
    bool odd;       /* must be in an odd register: 32 bits of a pair */
    int16_t fixed;  /* register that it must have, or -1 */
    int16_t reg;    /* register that it was allocated, or -1 */
    uint32_t spill; /* number of its first spilled word; 0: not spilled */
    struct ir_insn *def; /* definition; NULL out of SSA if there are several */
};

struct ir_loop {
    struct ir_block *header;
    struct ir_loop *parent;
    unsigned depth; /* 1 for outermost loops */
};

struct ir_block {
    struct ir_func *func;
    unsigned id; /* index in func->blocks */
    struct ir_insn *first, *last;
    struct ir_debug *debug; /* debug values at its end */
    struct ir_block *succ[2];
    vec(struct ir_block *) preds;
    /* Results of ir_analyse: */
    unsigned order;         /* position in reverse post-order */
    struct ir_block *idom;  /* NULL: the entry, or unreachable */
    struct ir_block *ipdom; /* NULL: the exit */
    unsigned post_order;    /* post-order number in the reversed graph */
    unsigned dom_first;     /* pre-order number in the dominator tree, from 0 */
    unsigned dom_size; /* number of blocks that it dominates, itself included */
    struct ir_loop *loop; /* innermost, or NULL */
    bool reachable;
    bool join; /* threads reconverge at its start */
};

/* The location of a parameter or result of a function at the call and at the return
 * (docs/abi.md, Functions).  One without a register is on the stack and is loaded and
 * stored like other memory. */
struct ir_place {
    uint8_t words;
    uint8_t vreg; /* for two words: even */
    uint8_t sreg; /* used in place of vreg, unless 0 */
    bool varies;  /* a call may pass different values in different lanes */
};

struct ir_func {
    struct arena *arena;
    const char *name;
    enum ir_form form;             /* form that the last pass left */
    vec(struct ir_block *) blocks; /* [0] is the entry */
    vec(struct ir_value) values;
    vec(struct ir_object) objects;
    vec(struct ir_block *) rpo; /* reachable blocks, a result of ir_analyse */
    struct ir_block *exit;
    uint32_t private_B;      /* private memory of a thread, so far */
    uint32_t arrays_B;       /* the part of it without spilled words */
    uint32_t n_spills;       /* number of spilled words, numbered from 1 */
    int32_t *spill_at;       /* offset on the stack by spilled word; -1: none */
    uint32_t scope;          /* scope of the function itself; 0: unknown */
    unsigned line, file;     /* line of its declaration; line 0: unknown */
    uint32_t scalar_stack_B; /* stack of a warp */
    unsigned sgprs, vgprs;   /* highest register in use + 1 */
    bool is_function;        /* a function that kernels call, not a kernel */
    bool is_external; /* a function of another object: nothing is known of it */
    bool is_exported; /* other objects may call it */
    bool is_limited;  /* writes only registers that its callers expect */
    bool is_relative; /* private memory is addressed relative to `tp` */
    ir_val tp;        /* value of x4 */
    vec(struct ir_func *) callees;
    /* Locations for enter and call; for ret and call. */
    struct ir_place *params, *results;
    unsigned n_params, n_results;
    /* Highest register of its callees, transitively, + 1. */
    unsigned call_vgprs;
    unsigned stack_from; /* start of the callees' words on the stack */
    unsigned callers;    /* maximal number of callers active at the same time */
    /* Written registers by class, its callees' included. */
    uint64_t writes[2][4];
};

/* ---- building ---- */

struct ir_func *
ir_func_new(struct arena *a, const char *name);

struct ir_block *
ir_block_new(struct ir_func *f);

ir_val
ir_value_new(struct ir_func *f, enum ir_class cls, unsigned words);

/* A new value of the same class and size. */
ir_val
ir_value_like(struct ir_func *f, ir_val v);

/* A new instruction, which is in no block yet. */
struct ir_insn *
ir_insn_new(struct ir_func *f, unsigned op);

void
ir_append(struct ir_block *b, struct ir_insn *in);

void
ir_insert_before(struct ir_insn *at, struct ir_insn *in);

void
ir_insert_after(struct ir_insn *at, struct ir_insn *in);

void
ir_remove(struct ir_insn *in);

/* Inserts after the phis of b, or after its enter. */
void
ir_insert_front(struct ir_block *b, struct ir_insn *in);

/* Inserts before the terminator of b, or at its end if there is none yet. */
void
ir_insert_end(struct ir_block *b, struct ir_insn *in);

/* Gives `in` the line and scope of `at`. */
void
ir_place_like(struct ir_insn *in, const struct ir_insn *at);

/* Attaches d before `in`, after those that are there already. */
void
ir_debug_before(struct ir_insn *in, struct ir_debug *d);

/* Attaches d before the instruction that will be appended to b next. */
void
ir_debug_at_end(struct ir_block *b, struct ir_debug *d);

/* Makes `in` the definition of `dst`. */
void
ir_set_dst(struct ir_func *f, struct ir_insn *in, ir_val dst);

/* Adds the edge from -> to, as successor number k of from. */
void
ir_link(struct ir_block *from, unsigned k, struct ir_block *to);

/* A new block on the edge from -> succ[k]; phis keep their order. */
struct ir_block *
ir_split_edge(struct ir_block *from, unsigned k);

/* ---- queries ---- */

static inline struct ir_value *
ir_value(const struct ir_func *f, ir_val v)
{
    debug_assert(v < f->values.n);
    return &f->values.at[v];
}

static inline bool
ir_is_isa(unsigned op)
{
    return op < VENTUS_ISA_OP_COUNT;
}

/* Facts of the table of instructions (src/isa/ventus.isa), none for pseudo operations:
 * the flags of a row, whether it has a format, and the row that is related to it. */
static inline unsigned
ir_flags(unsigned op)
{
    return ir_is_isa(op) ? ventus_isa_info[op].flags : 0;
}

static inline bool
ir_has_format(unsigned op, enum ventus_isa_format format)
{
    return ir_is_isa(op) && ventus_isa_info[op].format == format;
}

static inline uint16_t
ir_related(unsigned op, enum ventus_isa_relation relation)
{
    return ir_is_isa(op) ? ventus_isa_related[op][relation] : VENTUS_ISA_NONE;
}

const char *
ir_op_name(unsigned op);

bool
ir_is_terminator(const struct ir_insn *in);

/* Whether `in` has two successors. */
bool
ir_is_branch(const struct ir_insn *in);

/* Whether `in` is a branch on vectors. */
bool
ir_is_vbranch(const struct ir_insn *in);

/* Whether `in` may be removed if its result is unused. */
bool
ir_is_pure(const struct ir_insn *in);

/* Whether a call may write this register; true if the function is unknown. */
bool
ir_call_writes(const struct ir_insn *in, enum ir_class cls, unsigned reg);

bool
ir_is_load(const struct ir_insn *in);

bool
ir_is_store(const struct ir_insn *in);

/* Whether `in` is a load, store or atomic: src[1] is an address. */
bool
ir_has_address(const struct ir_insn *in);

/* The kind of a slot of an ISA row: VENTUS_ISA_KIND_X, _V, _A; -1: unused. */
int
ir_slot_kind(unsigned op, enum ventus_isa_slot slot);

/* Whether the row writes the register in slot D; whether it reads it. */
bool
ir_writes_d(unsigned op);

bool
ir_reads_d(unsigned op);

/* Lists all sources of an instruction, by address, so that passes can replace them:
 * `at` holds 5 + n_many entries.  Returns the number. */
unsigned
ir_sources(struct ir_insn *in, ir_val **at);

/* Lists all definitions: dst, or those of a parcopy. */
unsigned
ir_defs(struct ir_insn *in, ir_val **at);

/* The largest number of sources of an instruction of f, + 5. */
unsigned
ir_max_sources(const struct ir_func *f);

#define ir_foreach_block(f, b)                                          \
    for (struct ir_block **b##_at = (f)->blocks.at, *b = NULL;          \
         b##_at < (f)->blocks.at + (f)->blocks.n && ((b = *b##_at), 1); \
         b##_at++)

#define ir_foreach_rpo(f, b)                                \
    for (struct ir_block **b##_at = (f)->rpo.at, *b = NULL; \
         b##_at < (f)->rpo.at + (f)->rpo.n && ((b = *b##_at), 1); b##_at++)

#define ir_foreach_insn(b, in) \
    for (struct ir_insn *in = (b)->first; in; in = in->next)

#define ir_foreach_insn_safe(b, in)                                          \
    for (struct ir_insn *in = (b)->first, *in##_next = in ? in->next : NULL; \
         in; in = in##_next, in##_next = in ? in->next : NULL)

#define ir_foreach_insn_reverse_safe(b, in)                                 \
    for (struct ir_insn *in = (b)->last, *in##_prev = in ? in->prev : NULL; \
         in; in = in##_prev, in##_prev = in ? in->prev : NULL)

#define ir_foreach_debug(in, d) \
    for (struct ir_debug *d = (in)->debug; d; d = d->next)

/* ---- analysis (cfg.c) ---- */

/* Computes reachability, order, dominators, post-dominators and loops. */
void
ir_analyse(struct ir_func *f);

bool
ir_dominates(const struct ir_block *a, const struct ir_block *b);

bool
ir_in_loop(const struct ir_block *b, const struct ir_loop *loop);

/* ---- text (print.c, parse.c) ---- */

void
ir_print(const struct ir_func *f, FILE *out);

/* Prints one instruction, without indentation and newline. */
void
ir_print_insn(const struct ir_func *f, const struct ir_insn *in, FILE *out);

/* Parses the output of ir_print.  NULL and errors if the text is not IR. */
struct ir_func *
ir_parse(struct arena *a, const char *file, const char *text,
         struct diag_sink *sink);

/* ---- validation (validate.c) ---- */

/* NULL if f is well formed; else the error in words, with the instruction.  The text
 * is in the arena. */
const char *
ir_validate(struct ir_func *f, enum ir_form form);
