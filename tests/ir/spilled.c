/* SPDX-License-Identifier: Apache-2.0 */
/* The check of the register allocation, of what is spilled: see registers.c. */
#include "allocated.h"

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

TEST_MAIN
