/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of the register allocation is right about allocations that were
 * made by hand: each rule of cc/ra_check.c is broken once, and next to it
 * stands what is allowed.
 */
#include "cc/cc.h"
#include "test.h"

static struct arena arena;

/* After register allocation; f says that it writes everything. */
static struct ir_func *
parse(const char *text)
{
    struct diag_sink sink = { .arena = &arena };
    struct ir_func *f = ir_parse(&arena, "f", text, &sink);
    if (!CHECK(f)) {
        printf("  %s\n%s", sink.first ? sink.first->message : "", text);
        return NULL;
    }
    memset(f->writes, 0xff, sizeof f->writes);
    f->private_B = 64;
    f->arrays_B = 16;
    f->n_spills = 4;
    return f;
}

static struct ir_insn *
insn(struct ir_func *f, unsigned block, unsigned n)
{
    struct ir_insn *in = f->blocks.at[block]->first;
    while (n--)
        in = in->next;
    return in;
}

/* NULL: there must be no error; else its words. */
static void
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

static void
check_text(const char *text, const char *words)
{
    struct ir_func *f = parse(text);
    if (f)
        check(f, words);
}

#define ONE(text) "func f\nb0:\n" text "    ret\n"

TEST(a_value_stays_in_its_register)
{
    check_text(ONE("    s2(x5) = const imm=1\n    s3(x6) = const imm=2\n"
                   "    sw s2(x5), s3(x6)\n"),
               NULL);
    check_text(ONE("    s2(x5) = const imm=1\n    s3(x5) = const imm=2\n"
                   "    sw s2(x5), s3(x5)\n"),
               "value 2 is not in its place: sw");
    check_text(ONE("    v2(v5) = vid.v\n    v3(v5) = vadd.vv v2(v5), v2(v5)\n"
                   "    vsw12.v v3(v5), v2(v5)\n"),
               "value 2 is not in its place: vsw12.v");
    /* The second word of a pair. */
    check_text(ONE("    v2:2(v4) = pair zero, zero pair\n"
                   "    v3(v5) = vid.v\n    v4(v6) = hi v2(v4) pair\n"),
               "value 2 is not in its place: v4(v6) = hi");
    check_text(ONE("    v2:2(v4) = pair zero, zero pair\n"
                   "    v3(v6) = vid.v\n    v4(v6) = hi v2(v4) pair\n"),
               NULL);
    /* A scalar's x5 is no vector's v5. */
    check_text(ONE("    s2(x5) = const imm=1\n    v3(v5) = vid.v\n"
                   "    s4(x6) = add s2(x5), zero\n"),
               NULL);
}

TEST(a_copy_keeps_what_it_copies)
{
    check_text(ONE("    s2(x5) = const imm=1\n    s3(x5) = copy s2(x5)\n"
                   "    sw s2(x5), s3(x5)\n"),
               NULL);
    check_text(ONE("    s2(x5) = const imm=1\n    s3(x6) = copy s2(x5)\n"
                   "    s4(x5) = const imm=2\n    sw s3(x6), s4(x5)\n"),
               NULL);
    check_text(ONE("    s2(x5) = const imm=1\n    s3(x5) = copy zero\n"
                   "    sw s2(x5), s3(x5)\n"),
               "value 2 is not in its place");
    check_text(ONE("    s2(x5) = const imm=1\n    s3(x6) = const imm=2\n"
                   "    parcopy s4(x6) = s2(x5), s5(x5) = s3(x6)\n"
                   "    sw s4(x6), s5(x5)\n"),
               NULL);
    check_text(ONE("    s2(x5) = const imm=1\n    s3(x6) = const imm=2\n"
                   "    parcopy s4(x7) = s2(x5), s5(x7) = s3(x6)\n"
                   "    sw s5(x7), s5(x7)\n"),
               "is written over by the same copy");
}

static const char sides[] =
    "func f\nb0:\n    %s\n    s9(x9) = const imm=1\n    v8(v8) = vid.v\n"
    "    %s -> b1, b2\n"
    "b1:\n    preds b0\n    %s\n    jump -> b3\n"
    "b2:\n    preds b0\n    %s\n    jump -> b3\n"
    "b3:\n    preds b1 b2\n    %s\n    ret\n";

#define DIVIDES "vbeq v8(v8), v8(v8)"
#define AGREES  "beq s9(x9), zero"

/* At a divergent branch one side runs after the other: scalars are written
 * over by both, vectors only where their lanes go. */
TEST(sides_of_a_branch)
{
    const char *vector = "v2(v5) = vid.v", *scalar = "s2(x5) = const imm=7";
    const char *use_v = "v7(v7) = vadd.vv v2(v5), v2(v5)";
    const char *use_s = "s7(x7) = add s2(x5), zero";
    const char *other_v = "v3(v5) = vid.v", *other_s = "s3(x5) = const imm=8";
    const char *none = "fence";
    const struct {
        const char *first, *branch, *left, *right, *behind;
        bool wrong;
    } cases[] = {
        { vector, DIVIDES, other_v, use_v, none, false },
        { vector, DIVIDES, use_v, other_v, none, false },
        { vector, DIVIDES, other_v, none, use_v, true },
        { vector, DIVIDES, none, other_v, use_v, true },
        { vector, DIVIDES, none, none, use_v, false },
        { scalar, DIVIDES, other_s, use_s, none, true },
        { scalar, DIVIDES, use_s, other_s, none, true },
        { scalar, AGREES, other_s, use_s, none, false },
        { scalar, AGREES, use_s, other_s, none, false },
        { scalar, AGREES, other_s, none, use_s, true },
        { scalar, AGREES, none, other_s, use_s, true },
        { scalar, DIVIDES, none, none, use_s, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_text(arena_printf(&arena, sides, cases[i].first, cases[i].branch,
                                cases[i].left, cases[i].right, cases[i].behind),
                   cases[i].wrong ? "value 2 is not in its place" : NULL);
}

/* What a loop writes is there when it comes round again. */
TEST(loops)
{
    static const char loop[] =
        "func f\nb0:\n    s2(x5) = const imm=1\n    jump -> b1\n"
        "b1:\n    preds b0 b2\n    s3(x6) = add s2(x5), zero\n    jump -> b2\n"
        "b2:\n    preds b1\n    s4(x%u) = const imm=2\n"
        "    beq s4(x%u), zero -> b1, b3\n"
        "b3:\n    preds b2\n    ret\n";
    check_text(arena_printf(&arena, loop, 7, 7), NULL);
    check_text(arena_printf(&arena, loop, 5, 5), "value 2 is not in its place");
}

TEST(masks_are_in_v0)
{
    static const char text[] =
        ONE("    v2(v5) = vid.v\n    v3(v%u) = vmseq.vv v2(v5), v2(v5)\n"
            "    v4(v6) = vmerge.vvm v2(v5), v2(v5) mask=v3(v%u)\n");
    check_text(arena_printf(&arena, text, 0, 0), NULL);
    check_text(arena_printf(&arena, text, 1, 1), "is a mask, and not in v0");
}

TEST(what_a_function_says_it_writes)
{
    static const char text[] =
        ONE("    s2(x5) = const imm=1\n    v3(v70) = vid.v\n");
    struct ir_func *f = parse(text);
    memset(f->writes, 0, sizeof f->writes);
    f->writes[IR_S][0] = 1 << 5;
    f->writes[IR_V][1] = 1 << 6;
    check(f, NULL);
    f = parse(text);
    f->writes[IR_S][0] = ~(UINT64_C(1) << 5);
    check(f, "value 2 is in a register that the record lacks");
    f = parse(text);
    f->writes[IR_V][1] = ~(UINT64_C(1) << 6);
    check(f, "value 3 is in a register that the record lacks");
}

/* docs/abi.md: what a caller of another object does not expect changed. */
TEST(limited_functions_write_what_their_caller_saves)
{
    for (unsigned r = 3; r < 64; r++) {
        struct ir_func *f =
            parse(arena_printf(&arena, ONE("    s2(x%u) = const imm=1\n"), r));
        f->is_limited = true;
        check(f, r == 4 || cc_is_caller_saved(IR_S, r)
                     ? NULL
                     : "is in a register of other objects");
    }
    for (unsigned r = 0; r < 256; r++) {
        struct ir_func *f =
            parse(arena_printf(&arena, ONE("    v2(v%u) = vid.v\n"), r));
        f->is_limited = true;
        check(f, cc_is_caller_saved(IR_V, r)
                     ? NULL
                     : "is in a register of other objects");
    }
}

/* ---- calls ---- */

static const char call[] =
    ONE("    s2(x20) = const imm=1\n    v3(v40) = vid.v\n"
        "    v4(v32) = call v3(v40) sym=g\n    s5(x6) = add s2(x20), zero\n"
        "    v6(v33) = vadd.vv v3(v40), v4(v32)\n");

static struct ir_func *
caller(struct ir_func *g)
{
    static struct ir_place one[] = { { .words = 1, .vreg = 40 } };
    static struct ir_place result[] = { { .words = 1, .vreg = 32 } };
    struct ir_func *f = parse(call);
    *g = (struct ir_func){ .name = "g",
                           .params = one,
                           .results = result,
                           .n_params = 1,
                           .n_results = 1 };
    insn(f, 0, 2)->callee = g;
    ir_value(f, 3)->fixed = 40;
    ir_value(f, 4)->fixed = 32;
    f->stack_from = 4;
    return f;
}

TEST(calls_write_what_the_function_says)
{
    struct ir_func g, *f = caller(&g);
    check(f, NULL);
    f = caller(&g);
    g.writes[IR_S][0] = UINT64_C(1) << 20;
    check(f, "value 2 is not in its place: s5(x6) = add");
    f = caller(&g);
    g.writes[IR_V][0] = UINT64_C(1) << 40;
    check(f, "value 3 is not in its place: v6(v33) = vadd.vv");
    f = caller(&g); /* its result is written, and is what it is */
    g.writes[IR_V][0] = UINT64_C(1) << 32;
    check(f, NULL);
    f = caller(&g); /* x2 is the stack pointer, which it gives back */
    g.writes[IR_S][0] = 1 << 2;
    check(f, NULL);
    check_text(call, "is not in its place"); /* of g nothing is known */
}

TEST(calls_leave_what_is_spilled)
{
    struct ir_func g, *f = caller(&g);
    g.private_B = f->arrays_B;
    check(f, NULL);
    f = caller(&g);
    g.private_B = f->arrays_B + 4;
    check(f, "may be where the function has its own");
    f = caller(&g);
    g.scalar_stack_B = 12;
    check(f, NULL);
    f = caller(&g);
    g.scalar_stack_B = 16;
    check(f, "may be where the function has its own");
}

/* ---- spilled words ---- */

/* s3 goes to word 1 of the stack at x2 + offset, and comes back as s4. */
static struct ir_func *
stacked(int out, int in, uint32_t word)
{
    struct ir_func *f = parse(arena_printf(
        &arena,
        ONE("    s2@2(x2) = undef\n    s3(x5) = const imm=1\n"
            "    sw s3(x5), s2(x2) imm=%d\n    s5(x7) = const imm=9\n"
            "    sw s5(x7), s2(x2) imm=16\n    s4(x6) = lw s2(x2) imm=%d\n"),
        out, in));
    f->stack_from = 2;
    insn(f, 0, 2)->spill = 1;
    insn(f, 0, 4)->spill = 2;
    insn(f, 0, 5)->spill = word;
    return f;
}

TEST(words_of_the_stack)
{
    check(stacked(8, 8, 1), NULL);
    check(stacked(12, 12, 1), NULL);
    check(stacked(8, 12, 1), "spilled word 1 has two places");
    check(stacked(16, 16, 1), "spilled word 1 is not in its place");
    check(stacked(16, 16, 2), NULL);
    check(stacked(8, 8, 2), "spilled word 2 has two places");
    check(stacked(4, 4, 1), "is not in the warp's stack");
    check(stacked(10, 10, 1), "is not in the warp's stack");
    check(stacked(1020, 1020, 1), NULL);
    check(stacked(1024, 1024, 1), "is not in the warp's stack");
    struct ir_func *f = stacked(8, 8, 1);
    ir_value(f, 2)->fixed = -1; /* relative to something else */
    check(f, "is not in the warp's stack");
}

/* v3 goes to private memory at the constant base + offset, and comes back. */
static struct ir_func *
private_words(int base, int out, int in)
{
    struct ir_func *f = parse(
        arena_printf(&arena,
                     ONE("    v2(v3) = vmv.v.i imm=%d\n    v3(v5) = vid.v\n"
                         "    vsw.v v3(v5), v2(v3) imm=%d space=3\n"
                         "    v4(v6) = vlw.v v2(v3) imm=%d space=3\n"),
                     base, out, in));
    insn(f, 0, 2)->spill = insn(f, 0, 3)->spill = 1;
    return f;
}

TEST(words_of_private_memory)
{
    check(private_words(0, 16, 16), NULL); /* 16 to 64 are spill code's */
    check(private_words(12, 4, 4), NULL);
    check(private_words(0, 60, 60), NULL);
    check(private_words(0, 12, 12), "is not among the thread's spilled words");
    check(private_words(0, 64, 64), "is not among the thread's spilled words");
    check(private_words(0, 18, 18), "is not among the thread's spilled words");
    check(private_words(0, 16, 20), "spilled word 1 has two places");
    struct ir_func *f = private_words(0, 16, 16);
    insn(f, 0, 0)->op = VENTUS_ISA_VID_V; /* the base is not known */
    check(f, "is not among the thread's spilled words");
}

/* What one access loads is in registers in a row. */
static void
check_row(const char *registers, bool valid)
{
    struct ir_func *f = parse(arena_printf(
        &arena, ONE("    v2(v9) = vid.v\n    %s = vlw12.v v2(v9)\n"),
        registers));
    const char *error = f ? ir_validate(f, IR_FORM_ALLOCATED) : NULL;
    CHECK_STR(error ? strstr(error, "values are") : "valid",
              valid ? "valid" : strstr(error ? error : "", "values are"));
    CHECK_EQ(error == NULL, valid);
}

TEST(values_of_one_access)
{
    check_row("v4(v4), v5(v5), v3(v3)", true); /* the first is written last */
    check_row("v4(v5), v5(v4), v3(v3)", false);
    check_row("v4(v4), v5(v6), v3(v3)", false);
}

TEST_MAIN
