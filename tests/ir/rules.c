/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each rule of the validator is broken once: a function that is right but for
 * one thing is refused, with the words of that rule and the name of its block.
 */
#include "ir/ir.h"
#include "test.h"

static struct arena arena;

static struct ir_func *
parse(const char *text)
{
    struct diag_sink sink = { .arena = &arena };
    struct ir_func *f = ir_parse(&arena, "f", text, &sink);
    if (!CHECK(f))
        printf("  %s\n%s", sink.first ? sink.first->message : "", text);
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

/* The error begins as "f: b0: WORDS". */
static void
check_refused(struct ir_func *f, enum ir_form form, unsigned block,
              const char *words)
{
    const char *error = ir_validate(f, form);
    char *want = arena_printf(&arena, "f: b%u: %s", block, words);
    if (!CHECK(error && strncmp(error, want, strlen(want)) == 0))
        printf("  %s, expected %s\n", error ? error : "no error", want);
}

static void
check_text(const char *text, enum ir_form form, unsigned block,
           const char *words)
{
    struct ir_func *f = parse(text);
    if (f)
        check_refused(f, form, block, words);
}

static void
check_fine(const char *text, enum ir_form form)
{
    struct ir_func *f = parse(text);
    const char *error = f ? ir_validate(f, form) : NULL;
    CHECK_STR(error ? error : "fine", "fine");
}

#define LINE(text) "    " text "\n"
#define ONE(text)  "func f\nb0:\n" text

TEST(blocks_end_in_their_only_terminator)
{
    check_text(ONE(LINE("s2 = const imm=1")), IR_FORM_VECTOR, 0,
               "does not end in a terminator");
    check_text("func f\nb0:\n    jump -> b1\nb1:\n    preds b0\n",
               IR_FORM_VECTOR, 1, "does not end in a terminator");
    check_text(ONE(LINE("ret") LINE("ret")), IR_FORM_VECTOR, 0,
               "terminator inside a block: ret");
    struct ir_func *f = parse("func f\nb0:\n    jump -> b1\nb1:\n    ret\n");
    insn(f, 1, 0)->block = f->blocks.at[0];
    check_refused(f, IR_FORM_VECTOR, 1, "names another block");
    check_text(ONE(LINE("beq zero, zero -> b1")) "b1:\n    ret\n",
               IR_FORM_VECTOR, 0, "wrong number of successors");
    check_text(ONE(LINE("ret -> b1")) "b1:\n    ret\n", IR_FORM_VECTOR, 0,
               "wrong number of successors");
    check_text(ONE(LINE("jump -> b1, b1")) "b1:\n    ret\n", IR_FORM_VECTOR, 0,
               "wrong number of successors");
}

TEST(predecessors_match_successors)
{
    check_fine(ONE(LINE("beq zero, zero -> b1, b1")) "b1:\n    preds b0 b0\n"
                                                     "    ret\n",
               IR_FORM_VECTOR);
    check_text(ONE(LINE("beq zero, zero -> b1, b1")) "b1:\n    preds b0\n"
                                                     "    ret\n",
               IR_FORM_VECTOR, 0, "predecessors do not match successors");
    check_text(ONE(LINE("jump -> b1")) "b1:\n    preds b1\n    ret\n",
               IR_FORM_VECTOR, 0, "predecessors do not match successors");
    check_text(ONE(LINE("jump -> b1")) "b1:\n    preds b0 b2\n    ret\nb2:\n"
                                       "    ret\n",
               IR_FORM_VECTOR, 1, "a predecessor does not branch here");
    check_text(ONE(LINE("jump -> b1")) "b1:\n    preds b2 b0\n    ret\nb2:\n"
                                       "    ret\n",
               IR_FORM_VECTOR, 1, "a predecessor does not branch here");
    check_text(ONE(LINE("beq zero, zero -> b1, b2")) "b1:\n    preds b0\n"
                                                     "    ret\n"
                                                     "b2:\n    preds b1\n"
                                                     "    ret\n",
               IR_FORM_VECTOR, 0, "predecessors do not match successors");
}

/* What is not reachable defines nothing that others could miss. */
TEST(unreachable_blocks)
{
    static const char text[] =
        "func f\nb0:\n    s2 = const imm=1\n    jump -> b2\n"
        "b1:\n    s3 = const imm=2\n    s4 = add s%u, s3\n    jump -> b2\n"
        "b2:\n    preds b0 b1\n    s5 = phi s2, s%u\n    s6 = add s%u, s5\n"
        "    ret\n";
    check_fine(arena_printf(&arena, text, 2, 3, 2), IR_FORM_VECTOR);
    check_fine(arena_printf(&arena, text, 6, 3, 2), IR_FORM_VECTOR);
    check_fine(arena_printf(&arena, text, 2, 6, 2), IR_FORM_VECTOR);
    check_fine(arena_printf(&arena, text, 2, 3, 3), IR_FORM_VECTOR);
}

static const char loop[] = "func f\nb0:\n    s2 = const imm=1\n    jump -> b1\n"
                           "b1:\n    preds b0 b1\n    s3 = phi s2, s4\n"
                           "    s4 = add s3, s2\n    beq s4, zero -> b1, b2\n"
                           "b2:\n    preds b1\n    ret\n";

TEST(phis)
{
    check_fine(loop, IR_FORM_SCALAR);
    check_fine(loop, IR_FORM_VECTOR);
    check_text(loop, IR_FORM_OUT_OF_SSA, 1, "phi out of SSA");
    check_text(loop, IR_FORM_ALLOCATED, 1, "phi out of SSA");
    struct ir_func *f = parse(loop);
    struct ir_insn *phi = insn(f, 1, 0);
    ir_remove(phi);
    ir_insert_after(insn(f, 1, 0), phi);
    check_refused(f, IR_FORM_VECTOR, 1, "phi after another instruction");
    f = parse(loop);
    insn(f, 1, 0)->n_many = 1;
    check_refused(f, IR_FORM_VECTOR, 1,
                  "phi without a source for each predecessor");
    f = parse(loop);
    insn(f, 1, 0)->n_many = 0;
    check_refused(f, IR_FORM_VECTOR, 1,
                  "phi without a source for each predecessor");
}

TEST(classes)
{
    check_fine(ONE(LINE("v2 = vid.v") LINE("v3 = vadd.vv v2, v2") LINE("ret")),
               IR_FORM_VECTOR);
    check_text(ONE(LINE("v2 = vid.v") LINE("s3 = add v2, zero") LINE("ret")),
               IR_FORM_VECTOR, 0, "vector where a scalar is expected");
    check_text(ONE(LINE("v2 = vid.v") LINE("s3 = add zero, v2") LINE("ret")),
               IR_FORM_VECTOR, 0, "vector where a scalar is expected");
    check_text(
        ONE(LINE("s2 = const imm=1") LINE("v3 = vadd.vv s2, s2") LINE("ret")),
        IR_FORM_VECTOR, 0, "scalar where a vector is expected");
    check_text(ONE(LINE("v2 = vid.v") LINE("s3 = vadd.vv v2, v2") LINE("ret")),
               IR_FORM_VECTOR, 0, "scalar where a vector is expected");
    /* The addresses of atomics. */
    check_text(ONE(LINE("s2 = const imm=1") LINE("v4 = vid.v")
                       LINE("v3 = amoadd.w s2, v4") LINE("ret")),
               IR_FORM_VECTOR, 0, "scalar where a vector is expected");
    check_fine(ONE(LINE("v2 = vid.v") LINE("v3 = amoadd.w v2, v2") LINE("ret")),
               IR_FORM_VECTOR);
    check_fine(
        ONE(LINE("s2 = const imm=1") LINE("s3 = amoadd.w s2, s2") LINE("ret")),
        IR_FORM_SCALAR);
    check_fine(
        ONE(LINE("s2 = const imm=1") LINE("s3 = vadd.vv s2, s2") LINE("ret")),
        IR_FORM_SCALAR);
    check_text(
        ONE(LINE("s2 = const imm=1") LINE("v3 = add s2, s2") LINE("ret")),
        IR_FORM_VECTOR, 0, "vector where a scalar is expected");
    check_fine(ONE(LINE("v2 = vid.v") LINE("s3 = uniform v2") LINE("ret")),
               IR_FORM_VECTOR);
    check_fine(ONE(LINE("v2 = vid.v") LINE("s3 = copy v2") LINE("ret")),
               IR_FORM_SCALAR);
    check_text(ONE(LINE("v2 = vid.v") LINE("s3 = copy v2") LINE("ret")),
               IR_FORM_VECTOR, 0, "copy of a vector to a scalar");
    check_text(ONE(LINE("v2 = vid.v") LINE("v3:2 = pair v2, v2 pair")
                       LINE("v4 = vadd.vv v3, v2") LINE("ret")),
               IR_FORM_VECTOR, 0, "pair in a 32-bit instruction");
}

TEST(operands_are_there)
{
    static const char text[] = ONE(LINE("s2 = const imm=1") LINE(
        "s3 = copy s2") LINE("s4 = add s2, s3") LINE("sw s2, s4") LINE("ret"));
    check_fine(text, IR_FORM_VECTOR);
    struct ir_func *f = parse(text);
    insn(f, 0, 1)->src[1] = IR_NONE;
    check_refused(f, IR_FORM_VECTOR, 0, "operand missing");
    f = parse(text);
    insn(f, 0, 2)->src[2] = IR_NONE;
    check_refused(f, IR_FORM_VECTOR, 0, "operand missing or too many");
    f = parse(text);
    insn(f, 0, 2)->src[3] = 2;
    check_refused(f, IR_FORM_VECTOR, 0, "operand missing or too many");
    f = parse(text);
    insn(f, 0, 2)->src[0] = 2;
    check_refused(f, IR_FORM_VECTOR, 0, "operand missing or too many");
    f = parse(text);
    insn(f, 0, 2)->src[1] = 1000;
    check_refused(f, IR_FORM_VECTOR, 0, "no such value");
    /* the message, too, reads nothing behind the values */
    CHECK(strstr(ir_validate(f, IR_FORM_VECTOR), "?1000") != NULL);
    f = parse(text);
    insn(f, 0, 2)->src[1] = (ir_val)f->values.n; /* the first that is not */
    check_refused(f, IR_FORM_OUT_OF_SSA, 0, "no such value");
    f = parse(text);
    insn(f, 0, 3)->dst = 4;
    check_refused(f, IR_FORM_VECTOR, 0, "result missing or too many");
    f = parse(ONE(LINE("v2 = vid.v") LINE("ret")));
    insn(f, 0, 0)->dst = IR_NONE;
    check_refused(f, IR_FORM_VECTOR, 0, "result missing or too many");
    f = parse(text);
    insn(f, 0, 2)->dst = IR_NONE; /* to x0 */
    CHECK_STR(ir_validate(f, IR_FORM_VECTOR) ? "refused" : "fine", "fine");
    f = parse(ONE(LINE("s2 = const imm=1") LINE("s3:2 = pair s2, s2 pair")
                      LINE("ret")));
    insn(f, 0, 1)->src[2] = IR_NONE;
    check_refused(f, IR_FORM_VECTOR, 0, "operand missing");
    check_fine(ONE(LINE("s2 = const imm=1") LINE("ret s2")), IR_FORM_VECTOR);
}

/* What lanes that are masked out keep is an operand, if there is a result. */
TEST(masked_instructions)
{
    static const char text[] = ONE(LINE("v2 = vid.v") LINE(
        "v3 = vadd.vv v2, v2") LINE("vsw12.v v3, v2") LINE("ret"));
    check_fine(text, IR_FORM_VECTOR);
    struct ir_func *f = parse(text);
    insn(f, 0, 1)->masked = true;
    check_refused(f, IR_FORM_VECTOR, 0, "operand missing or too many");
    insn(f, 0, 1)->src[0] = 2;
    CHECK(!ir_validate(f, IR_FORM_VECTOR));
    insn(f, 0, 1)->masked = false;
    check_refused(f, IR_FORM_VECTOR, 0, "operand missing or too many");
    f = parse(text);
    insn(f, 0, 2)->masked = true;
    CHECK(!ir_validate(f, IR_FORM_VECTOR));
    f = parse(
        ONE(LINE("v2 = vid.v") LINE("v3 = vmacc.vv v2, v2, v2") LINE("ret")));
    CHECK(!ir_validate(f, IR_FORM_VECTOR));
    insn(f, 0, 1)->src[0] = IR_NONE; /* what it adds to */
    check_refused(f, IR_FORM_VECTOR, 0, "operand missing or too many");
}

/* A load of v3 and `row`, or a store: what it has too many of is refused. */
static struct ir_func *
access(bool store, unsigned n_many, unsigned n_in, unsigned n_out)
{
    static ir_val row[] = { 5, 4 };
    struct ir_func *f =
        parse(arena_printf(&arena,
                           ONE(LINE("v2 = vid.v") LINE("v4 = vid.v") LINE("%s")
                                   LINE("%s") LINE("ret")),
                           store ? "v3 = vid.v" : "s6 = const imm=1",
                           store ? "vsw12.v v3, v2" : "v3 = vlw12.v v2"));
    row[0] = ir_value_new(f, IR_V, 1);
    struct ir_insn *in = insn(f, 0, 3);
    in->many = row;
    in->n_many = n_many;
    in->n_in = n_in;
    in->n_out = n_out;
    return f;
}

TEST(accesses_of_several_words)
{
    static const struct {
        bool store, fine;
        unsigned n_many, n_in, n_out;
    } cases[] = {
        { false, true, 2, 0, 2 },  { true, true, 2, 2, 0 },
        { false, false, 2, 0, 1 }, { false, false, 2, 2, 0 },
        { false, false, 2, 1, 1 }, { true, false, 2, 1, 0 },
        { true, false, 2, 0, 2 },  { true, false, 2, 1, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ir_func *f = access(cases[i].store, cases[i].n_many,
                                   cases[i].n_in, cases[i].n_out);
        if (cases[i].fine)
            CHECK(!ir_validate(f, IR_FORM_OUT_OF_SSA));
        else
            check_refused(f, IR_FORM_OUT_OF_SSA, 0,
                          "operand missing or too many");
    }
    struct ir_func *f = access(false, 2, 0, 2);
    insn(f, 0, 3)->op = VENTUS_ISA_VADD_VV; /* no access */
    insn(f, 0, 3)->src[2] = 2;
    check_refused(f, IR_FORM_OUT_OF_SSA, 0, "operand missing or too many");
    f = access(false, 2, 0, 2);
    insn(f, 0, 3)->dst = IR_NONE;
    check_refused(f, IR_FORM_OUT_OF_SSA, 0, "operand missing or too many");
}

TEST(values_of_one_access)
{
    for (unsigned k = 0; k < 2; k++) {
        struct ir_func *f = access(k, 2, k ? 2 : 0, k ? 0 : 2);
        ir_val pair = ir_value_new(f, IR_V, 2), s = ir_value_new(f, IR_S, 1);
        struct ir_insn *in = insn(f, 0, 3);
        for (unsigned i = 0; i < 2; i++) {
            ir_val was = in->many[i];
            in->many[i] = s;
            check_refused(f, IR_FORM_OUT_OF_SSA, 0, "values of several class");
            in->many[i] = IR_NONE;
            check_refused(f, IR_FORM_OUT_OF_SSA, 0, "values of several class");
            in->many[i] = pair;
            check_refused(f, IR_FORM_OUT_OF_SSA, 0, "pair in a 32-bit instr");
            in->pair = 1;
            CHECK(!ir_validate(f, IR_FORM_OUT_OF_SSA));
            in->pair = 0;
            in->many[i] = was;
        }
    }
    struct ir_func *f = parse(ONE(LINE("s2 = lw zero") LINE("ret")));
    struct ir_insn *in = insn(f, 0, 0);
    in->many = (ir_val[]){ IR_ZERO }; /* of class S as the others */
    in->n_many = in->n_out = 1;
    check_refused(f, IR_FORM_OUT_OF_SSA, 0, "values of several classes");
}

TEST(one_definition_dominates_its_uses)
{
    check_text(
        ONE(LINE("s2 = const imm=1") LINE("s2 = const imm=2") LINE("ret")),
        IR_FORM_VECTOR, 0, "defined elsewhere too");
    check_fine(
        ONE(LINE("s2 = const imm=1") LINE("s2 = const imm=2") LINE("ret")),
        IR_FORM_OUT_OF_SSA);
    check_text(ONE(LINE("s3 = add s2, zero") LINE("ret")), IR_FORM_VECTOR, 0,
               "uses a value without definition");
    check_text(
        ONE(LINE("s3 = add s2, zero") LINE("s2 = const imm=1") LINE("ret")),
        IR_FORM_VECTOR, 0, "used before it is defined");
    check_text(ONE(LINE("s2 = add s2, zero") LINE("ret")), IR_FORM_VECTOR, 0,
               "used before it is defined");
    check_text(ONE(LINE("s2 = const imm=1") LINE("s4 = add s3, s2")
                       LINE("s3 = const imm=1") LINE("ret")),
               IR_FORM_VECTOR, 0, "used before it is defined");
    static const char sides[] =
        "func f\nb0:\n    s2 = const imm=1\n    beq s2, zero -> b1, b2\n"
        "b1:\n    preds b0\n    s3 = const imm=2\n    jump -> b3\n"
        "b2:\n    preds b0\n    s4 = add s%u, zero\n    jump -> b3\n"
        "b3:\n    preds b1 b2\n    s5 = phi s%u, s%u\n    s6 = add s%u, s5\n"
        "    ret\n";
    check_fine(arena_printf(&arena, sides, 2, 3, 4, 2), IR_FORM_VECTOR);
    check_text(arena_printf(&arena, sides, 3, 3, 4, 2), IR_FORM_VECTOR, 2,
               "definition does not dominate the use");
    check_text(arena_printf(&arena, sides, 2, 4, 4, 2), IR_FORM_VECTOR, 3,
               "definition does not dominate the use");
    check_text(arena_printf(&arena, sides, 2, 3, 3, 2), IR_FORM_VECTOR, 3,
               "definition does not dominate the use");
    check_text(arena_printf(&arena, sides, 2, 3, 4, 3), IR_FORM_VECTOR, 3,
               "definition does not dominate the use");
    struct ir_func *f = parse(loop);
    insn(f, 1, 0)->many[1] = IR_NONE;
    check_refused(f, IR_FORM_VECTOR, 1, "uses a value without definition");
    f = parse(loop);
    ir_remove(insn(f, 0, 0));
    check_refused(f, IR_FORM_VECTOR, 1, "uses a value without definition");
}

/* After register allocation: every value that is named has the place it needs. */
TEST(registers)
{
    check_fine(ONE(LINE("v2(v4) = vid.v") LINE("v3:2(v6) = pair v2(v4), v2(v4) "
                                               "pair")
                       LINE("s5@10(x10) = const imm=1") LINE("ret")),
               IR_FORM_ALLOCATED);
    check_text(ONE(LINE("v2 = vid.v") LINE("ret")), IR_FORM_ALLOCATED, 0,
               "value without a register");
    check_text(
        ONE(LINE("v2(v4) = vid.v") LINE("v4(v5) = vadd.vv v2, v3") LINE("ret")),
        IR_FORM_ALLOCATED, 0, "value without a register");
    check_text(ONE(LINE("v2(v4) = vid.v")
                       LINE("v3:2(v7) = pair v2(v4), v2(v4) pair") LINE("ret")),
               IR_FORM_ALLOCATED, 0, "pair on an odd register");
    check_text(ONE(LINE("s5@10(x11) = const imm=1") LINE("ret")),
               IR_FORM_ALLOCATED, 0, "not in the register it must have");
    check_text(ONE(LINE("v2@0(v1) = vid.v") LINE("ret")), IR_FORM_ALLOCATED, 0,
               "not in the register it must have");
}

/* ---- functions and their calls ---- */

static const struct ir_place params[] = { { .words = 1, .vreg = 8 },
                                          { .words = 2, .vreg = 10 },
                                          { .words = 1, .sreg = 12 } };
static const struct ir_place results[] = { { .words = 1, .vreg = 8 } };

/* Calls g(v2, v3:2, s4) = v5, and returns it. */
static struct ir_func *
caller(struct ir_func *g)
{
    struct ir_func *f =
        parse(ONE(LINE("v2@8 = vid.v") LINE("v3:2@10 = pair v2, v2 pair")
                      LINE("s4@12 = const imm=1")
                          LINE("v5@8 = call v2, v3, s4 sym=g") LINE("ret v5")));
    *g = (struct ir_func){ .name = "g",
                           .params = (struct ir_place *)params,
                           .results = (struct ir_place *)results,
                           .n_params = 3,
                           .n_results = 1 };
    insn(f, 0, 3)->callee = g;
    f->is_function = true;
    f->results = (struct ir_place *)results;
    f->n_results = 1;
    return f;
}

TEST(calls_are_as_the_function_says)
{
    struct ir_func g, *f = caller(&g);
    CHECK(!ir_validate(f, IR_FORM_VECTOR));
    CHECK(!ir_validate(f, IR_FORM_OUT_OF_SSA));
    g.n_params = 2;
    check_refused(f, IR_FORM_VECTOR, 0, "another number of parameters or res");
    f = caller(&g);
    g.n_results = 0;
    check_refused(f, IR_FORM_VECTOR, 0, "another number of parameters or res");
    f = caller(&g);
    f->n_results = 2;
    check_refused(f, IR_FORM_VECTOR, 0, "another number of parameters or res");
    f = caller(&g);
    insn(f, 0, 3)->many[1] = 2; /* one word for two */
    check_refused(f, IR_FORM_VECTOR, 0, "parameter or result of another size");
    f = caller(&g);
    ir_value(f, 2)->fixed = 9;
    CHECK(!ir_validate(f, IR_FORM_VECTOR)); /* nothing is placed yet */
    check_refused(f, IR_FORM_OUT_OF_SSA, 0,
                  "not where the function expects it");
    f = caller(&g);
    ir_value(f, 4)->fixed = 13;
    check_refused(f, IR_FORM_OUT_OF_SSA, 0,
                  "not where the function expects it");
    f = caller(&g);
    insn(f, 0, 3)->many[2] = IR_ZERO; /* x0 is moved to where it goes */
    CHECK(!ir_validate(f, IR_FORM_OUT_OF_SSA));
    f = caller(&g);
    struct ir_place other[3] = { params[0],
                                 params[1],
                                 { .words = 1, .vreg = 12 } };
    g.params = other; /* a vector where the call has a scalar */
    check_refused(f, IR_FORM_OUT_OF_SSA, 0,
                  "not where the function expects it");
}

TEST(functions_begin_with_their_parameters)
{
    static const char text[] = ONE(LINE("v2@8, v3:2@10, s4@12 = enter")
                                       LINE("v5@8 = copy v2") LINE("ret v5"));
    struct ir_func *f = parse(text);
    f->is_function = true;
    f->params = (struct ir_place *)params;
    f->n_params = 3;
    f->results = (struct ir_place *)results;
    f->n_results = 1;
    CHECK(!ir_validate(f, IR_FORM_OUT_OF_SSA));
    f->n_params = 2;
    check_refused(f, IR_FORM_OUT_OF_SSA, 0,
                  "another number of parameters or res");
    f->n_params = 3;
    struct ir_insn *enter = insn(f, 0, 0);
    ir_remove(enter);
    ir_insert_after(insn(f, 0, 0), enter);
    check_refused(f, IR_FORM_OUT_OF_SSA, 0, "not at the start of the function");
}

TEST_MAIN
