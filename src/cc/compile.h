/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/vec.h"
#include "cc/target.h"

/*
 * The compiler's back end: an optimised LLVM module in, an ELF object out.
 *
 *     struct cc_options o = { 0 };
 *     cc_compile_module(module, "k.cl", &o, &object, &stats, &sink);
 *
 * `module` is an LLVMModuleRef, a type that only src/cc/front and src/cc/isel know;
 * cc/front/intrinsics.h says what it may contain.  Errors about the user's kernels
 * go to the sink with their lines; a bug of the compiler itself is an
 * assertion, or an error that names the pass after which the validator
 * refused.
 *
 * The back end is correct with every optimisation off.
 */
enum cc_off {
    CC_NO_FOLD = 1 << 0,     /* immediates, addresses, compare and branch */
    CC_NO_SCHED = 1 << 1,    /* instruction order */
    CC_NO_COALESCE = 1 << 2, /* copies stay */
    CC_NO_UNIFORM = 1 << 3,  /* everything that may differ is a vector */
    CC_NO_DCE = 1 << 4,
    CC_NO_CSE = 1 << 5,
    CC_NO_LAYOUT = 1 << 6,
    CC_NO_RPC = 1 << 7, /* each branch sets its reconvergence point */
    CC_NO_STRENGTH = 1 << 8,
    CC_NO_LICM = 1 << 9,
    CC_NO_COMBINE = 1 << 10,    /* each word has a load or store of its own */
    CC_NO_ADDRESSING = 1 << 11, /* each address is computed */
    CC_NO_ALL = 0xfff,
    CC_NO_CALL = 1 << 12 /* every function is inlined; for the front end */
};

enum cc_profile {
    CC_PROFILE_DEFAULT,
    CC_PROFILE_UPSTREAM /* only what upstream machines run the same way */
};

/* The instructions by which a warp that waits for another one in a loop leaves it
 * fetch and collectors, on machines where these have a fixed priority (pause.c). */
enum cc_pause {
    CC_PAUSE_NONE,
    CC_PAUSE_DIVIDE,  /* collectors take turns */
    CC_PAUSE_MULTIPLY /* the lowest collector goes first */
};

/* The arguments of -fpause=, NULL at the end. */
extern const char *const cc_pause_names[];

/* The optimisations that -O0, -O1 or -O2 leaves out. */
unsigned
cc_off_of_level(unsigned level);

/* Warnings, X(bit, name): -Wno-NAME turns one off (warn.c). */
#define CC_WARNING_LIST(X)             \
    X(BARRIER, 0, "divergent-barrier") \
    X(UNCOALESCED, 1, "uncoalesced")   \
    X(PRIVATE, 2, "private-memory")

enum cc_warning {
#define X(id, bit, name) CC_WARN_##id = 1 << bit,
    CC_WARNING_LIST(X)
#undef X
        CC_WARN_ALL = 0x7
};

struct cc_options {
    const struct cc_target *target; /* NULL: version 1 */
    enum cc_profile profile;
    enum cc_pause pause;
    unsigned off;       /* enum cc_off, or-ed */
    unsigned max_sgprs; /* 0: 64; fewer force spills */
    unsigned max_vgprs; /* 0: 256 */
    bool debug_lines;   /* DWARF line tables */
    bool debug;         /* functions, types and variables, too */
    bool program;       /* linked, not an object */
    const char *dump;   /* print the IR after this pass; "all" */
    FILE *dump_to;      /* NULL: stderr */
    const char *only;   /* dump only this kernel */
    const char *source; /* text of the file, to show lines of; or NULL */
    unsigned no_warn;   /* enum cc_warning, or-ed */
};

struct cc_kernel_stats {
    const char *name;
    unsigned instructions, words; /* words: with prefixes */
    unsigned sgprs, vgprs;
    unsigned spills_s, spills_v, copies;
    unsigned spill_B; /* part of private_B: registers of a thread in memory */
    unsigned local_B, private_B;
    unsigned blocks, branches_divergent, branches_uniform;
    unsigned vector_instructions;
    unsigned calls;   /* instructions that call functions */
    bool is_function; /* called by kernels */
    unsigned warps;   /* that fit an SM of the default device by registers */
};

struct cc_pass_stats {
    const char *name;
    unsigned runs;
    double ms;
};

struct cc_stats {
    vec(struct cc_kernel_stats) kernels;
    vec(struct cc_pass_stats) passes;
};

/* The optimisations that can be left out, and what they are. */
struct cc_optimisation {
    const char *name; /* ventus cc -fno-NAME; NULL ends the list */
    unsigned off;     /* enum cc_off */
    const char *what;
};

extern const struct cc_optimisation cc_optimisations[];

/* The name of pass number i, in order; NULL after the last. */
const char *
cc_pass_name(unsigned i);

/* Appends an object file to `out`.  `stats` may be NULL. */
bool
cc_compile_module(void *module, const char *file,
                  const struct cc_options *options, struct arena *arena,
                  struct buf *out, struct cc_stats *stats,
                  struct diag_sink *sink);

/* Runs a pass by its name on a function from text, for tests.  False: no such pass. */
struct ir_func;
bool
cc_run_pass(const char *name, struct ir_func *f,
            const struct cc_options *options, struct diag_sink *sink);
