/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LLVM's passes from a list in the notation of `opt -passes`.  To follow variables
 * through them, a list is run pass by pass: stores are marked before a pass that may
 * remove them, and what is lost is noted after it (front/stores.c).
 */
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "cc/front/llvm_passes.h"
#include "cc/front/stores.h"

void
front_set_up_llvm(void)
{
    static bool set_up;
    if (!set_up) /* the only way to this option */
        LLVMParseCommandLineOptions(
            2, (const char *const[]){ "ventus cc", "-scalarize-load-store" },
            NULL);
    set_up = true;
}

void
front_run_llvm(struct front_build *b, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(b->module, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return;
    char *message = LLVMGetErrorMessage(error);
    front_error(b, NULL, "LLVM: %s", message);
    LLVMDisposeErrorMessage(message);
}

/* Whether a pass makes other stores of stores, but removes none that has an effect. */
static bool
keeps_stores(const char *pass)
{
    static const char *const names[] = {
        "sroa",        "scalarizer",    "always-inline", "globaldce",
        "loop-unroll", "loop-simplify", "lcssa",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(pass, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* The length of the pass at the start of a list, up to the comma after it. */
static size_t
pass_length(const char *list)
{
    unsigned depth = 0;
    size_t n = 0;
    for (; list[n] && (depth || list[n] != ','); n++) {
        depth += list[n] == '(' || list[n] == '<';
        depth -= list[n] == ')' || list[n] == '>';
    }
    return n;
}

/* Runs the passes of a list one by one, each between `prefix` and `suffix`. */
static void
run_each(struct front_build *b, const char *prefix, const char *list,
         const char *suffix)
{
    static const char function[] = "function(";
    const size_t k = sizeof function - 1;
    while (!b->sink->errors && *list) {
        size_t n = pass_length(list);
        const char *pass = arena_strndup(b->arena, list, n);
        list += n + (list[n] == ',');
        if (strncmp(pass, function, k) == 0) {
            run_each(b, function, arena_strndup(b->arena, pass + k, n - k - 1),
                     ")");
            continue;
        }
        bool keeps = keeps_stores(pass);
        if (!keeps)
            front_mark_stores(b);
        front_run_llvm(b,
                       arena_printf(b->arena, "%s%s%s", prefix, pass, suffix));
        if (!keeps)
            front_settle_stores(b);
    }
}

void
front_run_llvm_followed(struct front_build *b, const char *passes)
{
    if (b->options->debug && b->options->optimise)
        run_each(b, "", passes, "");
    else
        front_run_llvm(b, passes);
}
