/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of the register allocation is right about allocations that were
 * made by hand: each rule of cc/regalloc/check.c is broken once, and next to it
 * stands what is allowed.
 */
#include "allocated.h"
#include "cc/call.h"

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

/* A side of several ends: whichever one a warp goes through, what it writes is
 * there on the other side, which runs behind it. */
TEST(sides_with_several_ends)
{
    static const char ends[] =
        "func f\nb0:\n    s2(x5) = const imm=7\n    s9(x9) = const imm=1\n"
        "    v8(v8) = vid.v\n    vbeq v8(v8), v8(v8) -> b%u, b%u\n"
        "b1:\n    preds b0\n    fence\n    beq s9(x9), zero -> b2, b3\n"
        "b2:\n    preds b1\n    %s\n    beq s9(x9), zero -> b4, b6\n"
        "b3:\n    preds b1\n    %s\n    jump -> b6\n"
        "b4:\n    preds b2\n    %s\n    jump -> b6\n"
        "b5:\n    preds b0\n    s7(x7) = add s2(x5), zero\n    jump -> b6\n"
        "b6:\n    preds b2 b3 b4 b5\n    ret\n";
    const char *none = "fence", *other = "s3(x5) = const imm=8";
    for (unsigned turned = 0; turned < 2; turned++)
        for (unsigned writer = 0; writer < 4; writer++)
            check_text(arena_printf(&arena, ends, turned ? 5 : 1,
                                    turned ? 1 : 5, writer == 1 ? other : none,
                                    writer == 2 ? other : none,
                                    writer == 3 ? other : none),
                       writer ? "value 2 is not in its place" : NULL);
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

/* Of two values that are asked for at one place each is looked at. */
TEST(two_values_of_one_register)
{
    static const char two[] =
        "func f\nb0:\n    s%u(x5) = const imm=1\n    s%u(x5) = const imm=2\n"
        "    jump -> b1\n"
        "b1:\n    preds b0\n    fence\n    jump -> b2\n"
        "b2:\n    preds b1\n    fence\n    jump -> b3\n"
        "b3:\n    preds b2\n    sw s%u(x5), s%u(x5)\n    ret\n";
    check_text(arena_printf(&arena, two, 3, 2, 2, 3),
               "value 3 is not in its place");
    check_text(arena_printf(&arena, two, 2, 3, 2, 3),
               "value 2 is not in its place");
    check_text(arena_printf(&arena, two, 2, 3, 3, 3), NULL);
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
    struct ir_func *reads =
        parse(ONE("    s3(x5) = add s2(x20), zero\n")); /* what is there */
    reads->is_limited = true;
    memset(reads->writes, 0, sizeof reads->writes);
    reads->writes[IR_S][0] = 1 << 5;
    check(reads, NULL);
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

/* A scalar result, in a register that the function says it writes. */
TEST(scalar_results)
{
    static struct ir_place result[] = { { .words = 1, .sreg = 32 } };
    struct ir_func g = { .name = "g", .results = result, .n_results = 1 };
    struct ir_func *f = parse(ONE("    s2(x32) = call sym=g\n"
                                  "    s3(x6) = add s2(x32), zero\n"));
    g.writes[IR_S][0] = UINT64_C(1) << 32;
    insn(f, 0, 0)->callee = &g;
    ir_value(f, 2)->fixed = 32;
    f->stack_from = 4;
    check(f, NULL);
}

/* A vector result in v32 is no scalar one in x32. */
TEST(classes_of_results)
{
    static struct ir_place result[] = { { .words = 1, .vreg = 32 } };
    struct ir_func g = { .name = "g", .results = result, .n_results = 1 };
    struct ir_func *f =
        parse(ONE("    s2(x32) = const imm=1\n    v3(v32) = call sym=g\n"
                  "    s4(x6) = add s2(x32), zero\n"));
    g.writes[IR_S][0] = UINT64_C(1) << 32;
    insn(f, 0, 1)->callee = &g;
    ir_value(f, 3)->fixed = 32;
    f->stack_from = 4;
    check(f, "value 2 is not in its place");
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
