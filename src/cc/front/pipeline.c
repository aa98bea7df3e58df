/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of passes of the front end, LLVM's and ours.  Each is timed, the module is
 * verified after it, and it can be the last (`ventus cc --emit ll --after PASS`).
 *
 * First variables become values and everything is inlined; then sizes that the
 * kernel's attributes fix become constants; then the optimisations.  Jump
 * threading, and whatever else may duplicate or sink code under divergent
 * branches, is not among these.  Without a target LLVM's cost models take
 * divisions for expensive and everything else for cheap, which is right here.
 */
#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "cc/front/align.h"
#include "cc/front/builtins.h"
#include "cc/front/calls.h"
#include "cc/front/check.h"
#include "cc/front/debug.h"
#include "cc/front/hints.h"
#include "cc/front/inside.h"
#include "cc/front/intrinsics.h"
#include "cc/front/link.h"
#include "cc/front/llvm_passes.h"
#include "cc/front/pipeline.h"
#include "cc/front/printf.h"
#include "cc/front/reconverge.h"
#include "cc/front/spaces.h"
#include "cc/front/spirv_module.h"
#include "cc/front/steps.h"
#include "cc/front/stores.h"
#include "cc/front/subgroups.h"
#include "cc/front/switch.h"
#include "cc/front/unwritten.h"

#define COMBINE "instcombine<no-verify-fixpoint>"

/*
 * Variables become values before functions are copied, each where it is once:
 * the time of sroa is that of variables times blocks, and a kernel of all its
 * functions had 20 times as many of both (bench/bench_compile.py).
 */
static const char inline_passes[] =
    "function(sroa),always-inline,globaldce,"
    "function(sroa,early-cse<memssa>,simplifycfg," COMBINE ")";

/* Vectors become scalars, so that the passes after these see them. */
#define SCALARS "scalarizer,sroa,early-cse<memssa>,"

/* The optimisations, by level. */
static const char *const optimise_passes[] = {
    "function(" SCALARS "simplifycfg)",
    "function(" SCALARS "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),"
    "simplifycfg," COMBINE ",gvn,dse,adce,simplifycfg)",
    "function(" SCALARS "loop-simplify,lcssa,loop-mssa(loop-rotate,licm),"
    "simplifycfg," COMBINE ",loop-simplify,lcssa,loop(indvars,loop-deletion),"
    "loop-unroll<O2;no-partial;no-peeling;no-runtime;no-upperbound>,"
    "sroa,early-cse<memssa>,simplifycfg," COMBINE ",gvn,dse,adce,"
    "simplifycfg," COMBINE ")",
};

/*
 * For -fcheck-bounds, before the optimisations: removes the checks of indices that are
 * always inside of their arrays, which would keep a loop from being unrolled.  Passes that
 * follow a condition from block to block are not among these: they move the exit of a loop
 * out of it, so that lanes would wait for others that hold a lock.
 */
static const char bounds_passes[] =
    "function(" SCALARS "loop-simplify,lcssa,loop(indvars)," COMBINE
    ",simplifycfg)";

/* Legalisation: the form that the back end takes (front/intrinsics.h). */
static const char legalise_passes[] =
    "globaldce,function(scalarizer,dce,div-rem-pairs)";
static const char structure_passes[] =
    "function(fix-irreducible,mergereturn,loop-simplify)";

/* ---- passes of a few lines ---- */

/* Sets the target's layout: clang's layouts of spir have pointers of one size. */
static void
set_layout(struct front_build *b)
{
    const char *layout = cc_target_or_v1(b->options->target)->layout;
    if (layout)
        LLVMSetDataLayout(b->module, layout);
}

/* Keeps LLVM from loads that the source does not have: they would race with stores. */
static void
forbid_speculation(struct front_build *b)
{
    static const char name[] = "sanitize_thread";
    const unsigned kind =
        LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    front_foreach_function(f, b->module)
        LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(b->context, kind, 0));
}

static void
optimise(struct front_build *b)
{
    front_run_llvm_followed(b, optimise_passes[b->options->optimise]);
}

static void
name_marked_objects(struct front_build *b)
{
    LLVMGetOrInsertNamedMetadata(b->module, MARKED_OBJECTS,
                                 strlen(MARKED_OBJECTS));
}

static void
name_exact_atomics(struct front_build *b)
{
    LLVMGetOrInsertNamedMetadata(b->module, EXACT_ATOMICS,
                                 strlen(EXACT_ATOMICS));
}

/* ---- the list ---- */

/* The options that a pass is for. */
enum when {
    WHEN_DEBUG = 1 << 0,
    WHEN_OPTIMISED = 1 << 1,
    WHEN_NOT_OPTIMISED = 1 << 2,
    WHEN_BOUNDS = 1 << 3, /* -fcheck-bounds, and likewise */
    WHEN_INIT = 1 << 4,
    WHEN_RACE = 1 << 5,
    WHEN_HINTS = 1 << 6 /* the target has hints for caches */
};

struct front_pass {
    const char *name;
    void (*run)(struct front_build *b); /* NULL: LLVM's passes */
    unsigned when;                      /* enum when, or-ed: all of these */
    const char *llvm;
    bool followed; /* variables, through LLVM's passes */
};

/* The passes on a module of clang's, before others are linked to it. */
static const struct front_pass marks[] = {
    { "mark-unwritten", front_mark_unwritten, WHEN_INIT, NULL, false },
    { "mark-inside", front_mark_inside, WHEN_BOUNDS, NULL, false },
    { "mark-alignment", front_mark_alignment, WHEN_BOUNDS, NULL, false },
};

/* The passes from there to the module that the back end takes. */
static const struct front_pass passes[] = {
    { "layout", set_layout, 0, NULL, false },
    { "choose-sub-groups", front_choose_sub_groups, 0, NULL, false },
    { "lower-printf", front_lower_printf, 0, NULL, false },
    { "link", front_link, 0, NULL, false },
    { "prepare-debug", front_prepare_debug, WHEN_DEBUG, NULL, false },
    { "keep-functions", front_keep_functions, 0, NULL, false },
    { "place-calls", front_place_calls, WHEN_DEBUG | WHEN_NOT_OPTIMISED, NULL,
      false },
    { "forbid-speculation", forbid_speculation, WHEN_RACE, NULL, false },
    { "inline", NULL, 0, inline_passes, true },
    { "join-handles", front_join_handles, 0, NULL, false },
    { "resolve-builtins", front_resolve_builtins, 0, NULL, false },
    { "resolve-printf", front_resolve_printf, 0, NULL, false },
    { "check-calls", front_check_calls, 0, NULL, false },
    { "resolve-spaces", front_resolve_spaces, 0, NULL, false },
    { "split-debug", front_split_debug, WHEN_DEBUG, NULL, false },
    { "split-nontemporal", front_split_nontemporal, WHEN_HINTS, NULL, false },
    { "remove-checks", NULL, WHEN_BOUNDS | WHEN_OPTIMISED, bounds_passes,
      true },
    { "optimise", optimise, 0, NULL, false },
    { "end-frames", front_end_frames, WHEN_INIT, NULL, false },
    { "place-variables", front_place_variables, WHEN_DEBUG | WHEN_OPTIMISED,
      NULL, false },
    { "marked-objects", name_marked_objects, WHEN_BOUNDS, NULL, false },
    { "exact-atomics", name_exact_atomics, WHEN_RACE, NULL, false },
    { "legalise", NULL, 0, legalise_passes, false },
    { "mark-switches", front_mark_switches, 0, NULL, false },
    { "lower-switch", NULL, 0, "function(lower-switch)", false },
    { "settle-switches", front_settle_switches, 0, NULL, false },
    { "reconverge", front_reconverge, 0, NULL, false },
    { "structure", NULL, 0, structure_passes, false },
};

enum {
    N_MARKS = sizeof marks / sizeof *marks,
    N_PASSES = sizeof passes / sizeof *passes
};

static_assert(N_MARKS + N_PASSES + FRONT_STEPS <= FRONT_TIMES,
              "struct front has a time for each pass");

const char *
front_pass_name(unsigned i)
{
    if (i < N_MARKS)
        return marks[i].name;
    return i < N_MARKS + N_PASSES ? passes[i - N_MARKS].name : NULL;
}

static unsigned
conditions(const struct front_options *o)
{
    return (o->debug ? WHEN_DEBUG : 0u) |
           (o->optimise ? WHEN_OPTIMISED : WHEN_NOT_OPTIMISED) |
           (o->check_bounds ? WHEN_BOUNDS : 0u) |
           (o->check_init ? WHEN_INIT : 0u) | (o->check_race ? WHEN_RACE : 0u) |
           (cc_target_or_v1(o->target)->cache_hints ? WHEN_HINTS : 0u);
}

static bool
run_pass(struct front_build *b, const struct front_pass *p)
{
    assert(!p->run != !p->llvm && "a pass is ours or a list of LLVM's");
    if (p->run)
        p->run(b);
    else if (p->followed)
        front_run_llvm_followed(b, p->llvm);
    else
        front_run_llvm(b, p->llvm);
    if (b->sink->errors)
        return false;
    return front_verify(
        b, arena_printf(b->arena, "compiler bug after pass '%s'", p->name));
}

static bool
run_passes(struct front *f, struct front_build *b,
           const struct front_pass *list, unsigned n)
{
    const unsigned have = conditions(b->options);
    const char *last = b->options->last_pass;
    double since = clock_now_ms();
    for (unsigned i = 0; i < n && !b->stopped; i++) {
        b->stopped = last && strcmp(last, list[i].name) == 0;
        if (list[i].when & ~have)
            continue;
        if (!run_pass(b, &list[i]))
            return false;
        front_note(f, list[i].name, &since);
    }
    return true;
}

bool
front_mark(struct front *f, struct front_build *b)
{
    return run_passes(f, b, marks, N_MARKS);
}

bool
front_lower(struct front *f, struct front_build *b)
{
    front_set_up_llvm();
    return run_passes(f, b, passes, N_PASSES);
}
