/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Functions whose registers were allocated by hand, for the tests of the check. */
#include <stdlib.h>

#include "cc/cc.h"
#include "cc/regalloc/check.h"
#include "test.h"

static struct arena arena;

/* After register allocation; f says that it writes everything. */
static inline struct ir_func *
parse(const char *text)
{
    struct diag_sink sink = { .arena = &arena };
    struct ir_func *f = ir_parse(&arena, "f", text, &sink);
    if (!CHECK(f)) {
        printf("  %s\n%s", sink.first ? sink.first->message : "", text);
        abort(); /* the test is wrong */
    }
    memset(f->writes, 0xff, sizeof f->writes);
    f->private_B = 64;
    f->arrays_B = 16;
    f->n_spills = 4;
    return f;
}

static inline struct ir_insn *
insn(struct ir_func *f, unsigned block, unsigned n)
{
    struct ir_insn *in = f->blocks.at[block]->first;
    while (n--)
        in = in->next;
    return in;
}

/* NULL: there must be no error; else its words. */
static inline void
check(struct ir_func *f, const char *words)
{
    struct cc c = { .f = f };
    const char *error = ir_validate(f, IR_FORM_ALLOCATED);
    CHECK_STR(error ? error : "valid", "valid");
    error = cc_check_registers(&c);
    if (!CHECK(words ? error && strstr(error, words) : !error))
        printf("  %s, expected %s\n", error ? error : "no error",
               words ? words : "none");
}

static inline void
check_text(const char *text, const char *words)
{
    check(parse(text), words);
}

#define ONE(text) "func f\nb0:\n" text "    ret\n"

/* Two sides of a branch: before it, the branch, left, right, behind. */
static const char sides[] =
    "func f\nb0:\n    %s\n    s9(x9) = const imm=1\n    v8(v8) = vid.v\n"
    "    %s -> b1, b2\n"
    "b1:\n    preds b0\n    %s\n    jump -> b3\n"
    "b2:\n    preds b0\n    %s\n    jump -> b3\n"
    "b3:\n    preds b1 b2\n    %s\n    ret\n";

#define DIVIDES "vbeq v8(v8), v8(v8)"
#define AGREES  "beq s9(x9), zero"
