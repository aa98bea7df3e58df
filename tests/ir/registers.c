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
                   "    parcopy s4(x5) = s2(x5), s5(x6) = s3(x6)\n"
                   "    sw s2(x5), s3(x6)\n    sw s4(x5), s5(x6)\n"),
               NULL);
    check_text(ONE("    s2(x5) = const imm=1\n    s3(x6) = const imm=2\n"
                   "    parcopy s4(x5) = s3(x6), s5(x6) = s2(x5)\n"
                   "    sw s4(x5), s2(x5)\n"),
               "value 2 is not in its place");
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
    check_text(arena_printf(&arena, sides, "v2(v0) = vid.v", DIVIDES,
                            "v3(v0) = vid.v", "v7(v7) = vadd.vv v2(v0), v2(v0)",
                            none),
               NULL);
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

/* Over blocks that do nothing to the register, and not beyond its last write. */
TEST(writes_some_blocks_before)
{
    static const char chain[] =
        "func f\nb0:\n    %s\n    jump -> b1\n"
        "b1:\n    preds b0\n    %s\n    beq zero, zero -> b2, b3\n"
        "b2:\n    preds b1\n    %s\n    jump -> b4\n"
        "b3:\n    preds b1\n    fence\n    jump -> b4\n"
        "b4:\n    preds b2 b3\n    fence\n    jump -> b5\n"
        "b5:\n    preds b4\n    s7(x7) = add s2(x5), zero\n    ret\n";
    const char *it = "s2(x5) = const imm=1", *other = "s3(x5) = const imm=2";
    check_text(arena_printf(&arena, chain, it, "fence", "fence"), NULL);
    check_text(arena_printf(&arena, chain, other, it, "fence"), NULL);
    check_text(arena_printf(&arena, chain, it, other, "fence"),
               "value 2 is not in its place");
    check_text(arena_printf(&arena, chain, it, "fence", other),
               "value 2 is not in its place");
    check_text(arena_printf(&arena, chain, other, it, other),
               "value 2 is not in its place");
}

TEST(unreachable_blocks_write_nothing)
{
    check_text("func f\nb0:\n    s2(x5) = const imm=1\n    jump -> b2\n"
               "b1:\n    s3(x5) = const imm=2\n    jump -> b2\n"
               "b2:\n    preds b0 b1\n    s7(x7) = add s2(x5), zero\n"
               "    ret\n",
               NULL);
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
    for (unsigned r = 0; r < 256; r++) { /* each has its own bit */
        const char *one = arena_printf(&arena, ONE("    v2(v%u) = vid.v\n"), r);
        f = parse(one);
        memset(f->writes, 0, sizeof f->writes);
        f->writes[IR_V][r / 64] = UINT64_C(1) << r % 64;
        check(f, NULL);
        f = parse(one);
        f->writes[IR_V][r / 64] ^= UINT64_C(1) << r % 64;
        check(f, "value 2 is in a register that the record lacks");
    }
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

/* Each register that a call may write: a value in it is lost, in others not. */
TEST(each_register_that_a_call_writes)
{
    for (unsigned k = 0; k < 64 + 256; k++) {
        unsigned cls = k < 64 ? IR_S : IR_V, r = k < 64 ? k : k - 64;
        const char *text = arena_printf(
            &arena,
            cls == IR_S ? ONE("    s2(x%u) = const imm=1\n    call sym=g\n"
                              "    s3(x6) = add s2(x%u), zero\n")
                        : ONE("    v2(v%u) = vid.v\n    call sym=g\n"
                              "    v3(v9) = vadd.vv v2(v%u), v2\n"),
            r, r);
        struct ir_func g = { .name = "g" }, *f = parse(text);
        insn(f, 0, 1)->callee = &g;
        f->stack_from = 4;
        memset(g.writes, 0xff, sizeof g.writes);
        g.writes[cls][r / 64] ^= UINT64_C(1) << r % 64;
        check(f, NULL);
        f = parse(text);
        insn(f, 0, 1)->callee = &g;
        f->stack_from = 4;
        memset(g.writes, 0, sizeof g.writes);
        g.writes[cls][r / 64] = UINT64_C(1) << r % 64;
        check(f, cls == IR_S && r == 2 ? NULL : "value 2 is not in its place");
    }
}

/* Results are written where they are, and nothing else is a result. */
TEST(results_of_calls)
{
    static const char text[] =
        ONE("    v2(v%u) = vid.v\n    v3(v32), v4:2(v34) = call sym=g\n"
            "    v5(v9) = vadd.vv v2(v%u), v2\n"
            "    v6(v10) = vadd.vv v3(v32), v3\n"
            "    v7(v11) = lo v4(v34) pair\n    v8(v12) = hi v4(v34) pair\n");
    static struct ir_place results[] = { { .words = 1, .vreg = 32 },
                                         { .words = 2, .vreg = 34 } };
    for (unsigned r = 31; r < 38; r++)
        for (unsigned writes = 0; writes < 2; writes++) {
            bool is_result = r == 32 || r == 34 || r == 35;
            struct ir_func g = { .name = "g",
                                 .results = results,
                                 .n_results = 2 };
            struct ir_func *f = parse(arena_printf(&arena, text, r, r));
            g.writes[IR_V][0] = writes ? UINT64_C(0x3f) << 31 : 0;
            ir_value(f, 3)->fixed = 32;
            ir_value(f, 4)->fixed = 34;
            insn(f, 0, 1)->callee = &g;
            f->stack_from = 4;
            check(f, is_result || (writes && r < 37)
                         ? "value 2 is not in its place"
                         : NULL);
        }
}

TEST(calls_leave_what_is_spilled)
{
    struct ir_func g, *f = caller(&g);
    g.private_B = f->arrays_B;
    check(f, NULL);
    f = caller(&g);
    g.private_B = f->arrays_B + 4;
    check(f, "value 0 may be where the function has its own");
    f = caller(&g);
    g.scalar_stack_B = 12;
    check(f, NULL);
    f = caller(&g);
    g.scalar_stack_B = 16;
    check(f, "value 0 may be where the function has its own");
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

/* Words of the stack behind `from` words of callees, next to each other. */
TEST(neighbours_on_the_stack)
{
    for (int at = 16; at < 1020; at += 4) {
        struct ir_func *f = parse(
            arena_printf(&arena,
                         ONE("    s2@2(x2) = undef\n    s3(x5) = const imm=1\n"
                             "    sw s3(x5), s2(x2) imm=%d\n"
                             "    sw s3(x5), s2(x2) imm=%d\n"
                             "    s4(x6) = lw s2(x2) imm=%d\n"),
                         at, at + 4, at));
        f->stack_from = 4;
        insn(f, 0, 2)->spill = insn(f, 0, 4)->spill = 1;
        insn(f, 0, 3)->spill = 2;
        check(f, NULL);
        f->stack_from = (unsigned)at / 4 + 1;
        check(f, "spilled word 1 is not in the warp's stack");
    }
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
    for (int at = 12; at <= 20; at++) { /* the base is not known */
        struct ir_func *f = private_words(0, at, at);
        insn(f, 0, 0)->op = VENTUS_ISA_VID_V;
        check(f, "is not among the thread's spilled words");
    }
}

/* A word of private memory is none of the stack, and no register. */
TEST(places_of_private_memory)
{
    for (unsigned r = 0; r < 256; r++)
        for (int at = 16; at < 64; at += 4) {
            if (r == 3 || r == 5)
                continue;
            struct ir_func *f = parse(arena_printf(
                &arena,
                ONE("    v2(v3) = vmv.v.i imm=0\n    v3(v5) = vid.v\n"
                    "    vsw.v v3(v5), v2(v3) imm=%d space=3\n"
                    "    v4(v%u) = vid.v\n    s5@2(x2) = undef\n"
                    "    s6(x5) = const imm=1\n"
                    "    sw s6(x5), s5(x2) imm=%u\n"
                    "    v7(v6) = vlw.v v2(v3) imm=%d space=3\n"),
                at, r, 4 * r, at));
            insn(f, 0, 2)->spill = insn(f, 0, 7)->spill = 1;
            insn(f, 0, 6)->spill = 2;
            check(f, NULL);
        }
}

/* What `base` says is v4, from which the word at 16 + `offset` counts. */
static void
check_base(const char *base, bool relative, int offset, const char *words)
{
    struct ir_func *f = parse(arena_printf(
        &arena,
        ONE("    s2@4(x4) = undef\n    s3(x5) = const imm=16\n%s"
            "    v5(v5) = vid.v\n    vsw.v v5(v5), v4(v3) imm=%d space=3\n"
            "    v6(v6) = vlw.v v4(v3) imm=%d space=3\n"),
        base, offset, offset));
    struct ir_insn *last = f->blocks.at[0]->last->prev;
    last->spill = last->prev->spill = 1;
    f->is_relative = relative;
    f->tp = 2;
    check(f, words);
}

TEST(bases_of_private_memory)
{
    const char *wrong = "is not among the thread's spilled words";
    const char *copy = "    v4(v3) = copy s3(x5)\n";
    const char *tp = "    v4(v3) = copy s2(x4)\n";
    const char *sum = "    s7(x6) = add s3(x5), s2(x4)\n"
                      "    v4(v3) = copy s7(x6)\n";
    check_base(copy, false, 0, NULL);
    check_base(copy, false, -4, wrong);
    check_base(copy, false, 44, NULL);
    check_base(copy, false, 48, wrong);
    check_base(tp, true, 16, NULL);
    check_base(tp, true, 12, wrong);
    check_base(sum, true, 0, NULL);
    check_base(sum, true, -4, wrong);
    check_base("    s2(x4) = undef\n    v4(v3) = copy s2(x4)\n", true, 16,
               NULL); /* wherever it is set, x4 is where it counts from */
    for (int offset = -4; offset <= 20; offset++) {
        check_base(tp, false, offset, wrong);
        check_base(sum, false, offset, wrong);
        check_base("    s7(x6) = add s3(x5), s3(x5)\n"
                   "    v4(v3) = copy s7(x6)\n",
                   true, offset, wrong);
        check_base("    s7(x6) = sub s3(x5), s2(x4)\n"
                   "    v4(v3) = copy s7(x6)\n",
                   true, offset, wrong);
        check_base("    v4(v3) = vmv.v.i imm=0\n"
                   "    v4(v3) = vmv.v.i imm=0\n",
                   false, offset, wrong); /* twice: it could be either */
        check_base("    v7(v7) = copy s3(x5)\n    v8(v8) = vid.v\n"
                   "    v4(v3) = vadd.vv v7(v7), v8(v8)\n",
                   false, offset, wrong);
    }
}

/*
 * Word 1 is stored, the left side stores word 2 there, and the right side or
 * what is behind loads word 1: on the stack of the warp, in private memory.
 */
static void
check_sides(bool stack, int at, const char *branch, bool behind,
            const char *words)
{
    const char *to = stack ? "sw s3(x5), s2(x2)" : "vsw.v v4(v5), v5(v3)";
    const char *from = stack ? "s6(x6) = lw s2(x2)" : "v6(v6) = vlw.v v5(v3)";
    const char *store =
        arena_printf(&arena, "%s imm=%d%s", to, at, stack ? "" : " space=3");
    const char *load =
        arena_printf(&arena, "%s imm=%d%s", from, at, stack ? "" : " space=3");
    struct ir_func *f = parse(arena_printf(
        &arena, sides,
        arena_printf(&arena,
                     "s2@2(x2) = undef\n    s3(x5) = const imm=1\n"
                     "    v4(v5) = vid.v\n    v5(v3) = vmv.v.i imm=0\n    %s",
                     store),
        branch, store, behind ? "fence" : load, behind ? load : "fence"));
    f->stack_from = 4;
    insn(f, 0, 4)->spill = 1;
    insn(f, 1, 0)->spill = 2;
    insn(f, behind ? 3 : 2, 0)->spill = 1;
    check(f, words);
}

TEST(spilled_words_at_sides_of_a_branch)
{
    const char *wrong = "spilled word 1 is not in its place";
    for (int at = 16; at < 1024; at += 4) {
        check_sides(true, at, DIVIDES, false, wrong);
        check_sides(true, at, AGREES, false, NULL);
        check_sides(true, at, AGREES, true, wrong);
    }
    for (int at = 16; at < 64; at += 4) {
        check_sides(false, at, DIVIDES, false, NULL);
        check_sides(false, at, DIVIDES, true, wrong);
    }
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
