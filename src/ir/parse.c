/* SPDX-License-Identifier: Apache-2.0 */
/* The parser of the text of ir/text.h, a line at a time. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ir/text.h"

struct parser {
    struct arena *arena;
    struct diag_sink *sink;
    const char *file, *at, *line_text;
    unsigned line;
    struct ir_func *func;
    struct ir_block *block;
    bool failed;
};

static void
parse_fail(struct parser *p, const char *what)
{
    if (!p->failed)
        diag_report(
            p->sink, DIAG_ERROR,
            (struct diag_at){ .file = p->file,
                              .line = p->line,
                              .col = (unsigned)(p->at - p->line_text) + 1,
                              .line_text = p->line_text },
            "expected %s", what);
    p->failed = true;
}

static void
skip_space(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
}

static bool
take_text(struct parser *p, const char *text)
{
    size_t n = strlen(text);
    if (strncmp(p->at, text, n) != 0)
        return false;
    p->at += n;
    return true;
}

static long
parse_number(struct parser *p)
{
    char *end;
    long x = strtol(p->at, &end, 0);
    if (end == p->at)
        parse_fail(p, "a number");
    p->at = end;
    return x;
}

/* The block of a name; blocks and values are created when they are first named. */
static struct ir_block *
parse_block(struct parser *p)
{
    if (!take_text(p, "b") || !isdigit((unsigned char)*p->at)) {
        parse_fail(p, "a block");
        return p->func->blocks.n ? p->func->blocks.at[0]
                                 : ir_block_new(p->func);
    }
    unsigned long id = (unsigned long)parse_number(p);
    if (id > 1000000) {
        parse_fail(p, "a block number below 1000000");
        id = 0;
    }
    while (p->func->blocks.n <= id)
        ir_block_new(p->func);
    return p->func->blocks.at[id];
}

static ir_val
parse_value(struct parser *p, bool definition)
{
    if (take_text(p, "none"))
        return IR_NONE;
    if (take_text(p, "zero")) {
        if (definition)
            parse_fail(p, "a value that may be set, not zero");
        return IR_ZERO;
    }
    char letter = *p->at;
    if ((letter != 's' && letter != 'v') || !isdigit((unsigned char)p->at[1])) {
        parse_fail(p, "a value");
        return IR_ZERO;
    }
    p->at++;
    unsigned long n = (unsigned long)parse_number(p);
    if (n < 2 || n > 10000000) {
        parse_fail(p, "a value number from 2 to 10000000");
        return IR_ZERO;
    }
    while (p->func->values.n <= n)
        ir_value_new(p->func, IR_S, 1);
    struct ir_value *v = ir_value(p->func, (ir_val)n);
    v->cls = letter == 'v' ? IR_V : IR_S;
    if (definition && take_text(p, ":2"))
        v->words = 2;
    if (definition && take_text(p, "@"))
        v->fixed = (int16_t)parse_number(p);
    if (definition && take_text(p, "*"))
        v->divergent = true;
    if (take_text(p, "(")) {
        p->at++;
        v->reg = (int16_t)parse_number(p);
        if (!take_text(p, ")"))
            parse_fail(p, "')'");
    }
    return (ir_val)n;
}

static size_t
word_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '.' || s[n] == '_' ||
           s[n] == '$')
        n++;
    return n;
}

static unsigned
parse_operation(struct parser *p)
{
    size_t n = word_length(p->at);
    unsigned op = VENTUS_ISA_NONE;
    for (unsigned i = IR_FIRST + 1; i < IR_OP_COUNT; i++)
        if (strlen(ir_op_name(i)) == n && memcmp(ir_op_name(i), p->at, n) == 0)
            op = i;
    if (op == VENTUS_ISA_NONE)
        op = ventus_isa_find(VENTUS_ISA_V1, p->at, n);
    if (op == VENTUS_ISA_NONE)
        op = ventus_isa_find(VENTUS_ISA_V2, p->at, n);
    if (op == VENTUS_ISA_NONE)
        parse_fail(p, "an instruction");
    else
        p->at += n;
    return op;
}

static bool
at_value(const struct parser *p)
{
    return strncmp(p->at, "none", 4) == 0 || strncmp(p->at, "zero", 4) == 0 ||
           ((*p->at == 's' || *p->at == 'v') &&
            isdigit((unsigned char)p->at[1]));
}

static void
parse_many(struct parser *p, struct ir_insn *in)
{
    vec(ir_val) many = { 0 };
    skip_space(p);
    bool any = at_value(p); /* else attributes, or nothing */
    while (any && *p->at != '\n' && *p->at && !p->failed) {
        ir_val v = parse_value(p, in->op == IR_PARCOPY);
        vec_push(p->arena, &many, v);
        if (in->op == IR_PARCOPY) {
            if (!take_text(p, " = "))
                parse_fail(p, "' = '");
            v = parse_value(p, false);
            vec_push(p->arena, &many, v);
        }
        if (!take_text(p, ", "))
            break;
    }
    in->many = many.at;
    in->n_many = (unsigned)many.n;
}

/* Parses arguments and results of a call; `outs` were read before. */
static void
parse_call(struct parser *p, struct ir_insn *in, const ir_val *outs, size_t n)
{
    vec(ir_val) many = { 0 };
    for (skip_space(p); at_value(p) && !p->failed;) {
        ir_val v = parse_value(p, false);
        vec_push(p->arena, &many, v);
        if (!take_text(p, ", "))
            break;
    }
    in->n_in = (unsigned)many.n;
    in->n_out = (unsigned)n;
    for (size_t i = 0; i < n; i++) {
        vec_push(p->arena, &many, outs[i]);
        ir_value(p->func, outs[i])->def = in;
    }
    in->many = many.at;
    in->n_many = (unsigned)many.n;
}

/* Parses operands; in loads and stores of several words `many` is written first. */
static void
parse_operands(struct parser *p, struct ir_insn *in, const ir_val *outs,
               size_t n_outs)
{
    vec(ir_val) all = { 0 };
    enum ventus_isa_slot slots[8];
    unsigned n = ir_written_slots(in->op, slots);
    for (bool more = n && take_text(p, " "); more && !p->failed;
         more = take_text(p, ", ")) {
        ir_val v = parse_value(p, false);
        vec_push(p->arena, &all, v);
    }
    if (all.n < n || (all.n > n && !ir_is_store(in)))
        parse_fail(p, "another operand");
    if (n_outs > 1 && !ir_is_load(in))
        parse_fail(p, "one result");
    if (p->failed)
        return;
    in->n_in = (unsigned)all.n - n;
    in->n_out = n_outs ? (unsigned)n_outs - 1 : 0;
    in->n_many = in->n_in + in->n_out;
    in->many = arena_new(p->arena, ir_val, in->n_many + 1);
    for (unsigned i = 0; i < in->n_in; i++)
        in->many[i] = all.at[i];
    for (unsigned i = 0; i < n; i++)
        in->src[slots[i]] = all.at[in->n_in + i];
    for (unsigned i = 0; i < in->n_out; i++) {
        in->many[in->n_in + i] = outs[i];
        ir_value(p->func, outs[i])->def = in;
    }
}

static void
parse_attributes(struct parser *p, struct ir_insn *in)
{
    for (skip_space(p); *p->at && *p->at != '\n' && !p->failed; skip_space(p)) {
        if (take_text(p, "imm=")) {
            in->imm = (int32_t)parse_number(p);
        } else if (take_text(p, "aux=")) {
            in->aux = (uint16_t)parse_number(p);
        } else if (take_text(p, "rm=")) {
            in->rm = (uint8_t)parse_number(p);
        } else if (take_text(p, "space=")) {
            in->space = (uint8_t)parse_number(p);
        } else if (take_text(p, "hint=")) {
            in->hint = (uint8_t)parse_number(p);
        } else if (take_text(p, "abs=")) {
            in->abs = (uint8_t)parse_number(p);
        } else if (take_text(p, "neg=")) {
            in->neg = (uint8_t)parse_number(p);
        } else if (take_text(p, "aqrl=")) {
            in->aqrl = (uint8_t)parse_number(p);
        } else if (take_text(p, "line=")) {
            in->line = (uint32_t)parse_number(p);
        } else if (take_text(p, "masked=")) {
            in->masked = true;
            in->mask = parse_value(p, false);
        } else if (take_text(p, "mask=")) {
            in->mask = parse_value(p, false);
        } else if (take_text(p, "sym=")) {
            size_t n = word_length(p->at);
            in->symbol = arena_strndup(p->arena, p->at, n);
            p->at += n;
        } else if (take_text(p, "pair")) {
            in->pair = 1;
        } else if (take_text(p, "half")) {
            in->half = IR_HALF;
        } else if (take_text(p, "byte")) {
            in->half = IR_BYTE;
        } else if (take_text(p, "volatile")) {
            in->is_volatile = true;
        } else if (take_text(p, "exchange")) {
            in->is_exchange = true;
        } else if (take_text(p, "-> ")) {
            p->block->succ[0] = parse_block(p);
            if (take_text(p, ", "))
                p->block->succ[1] = parse_block(p);
        } else {
            parse_fail(p, "an attribute");
        }
    }
}

static void
parse_insn(struct parser *p)
{
    const char *equals = strstr(p->at, " = ");
    const char *end = strchr(p->at, '\n');
    bool defines =
        equals && (!end || equals < end) && strncmp(p->at, "parcopy", 7) != 0;
    vec(ir_val) outs = { 0 };
    ir_val dst = IR_NONE;
    while (defines && !p->failed) {
        dst = parse_value(p, true);
        vec_push(p->arena, &outs, dst);
        if (!take_text(p, ", "))
            break;
    }
    if (defines && !take_text(p, " = "))
        parse_fail(p, "' = '");
    if (p->failed || !p->block) {
        parse_fail(p, "an instruction in a block");
        return;
    }
    if (p->block->succ[0]) { /* the block has a terminator already */
        parse_fail(p, "a block, after the terminator of the last one");
        return;
    }
    struct ir_insn *in = ir_insn_new(p->func, parse_operation(p));
    if (p->failed)
        return;
    bool calls = in->op == IR_CALL || in->op == IR_ENTER || in->op == IR_RET;
    if (in->op == IR_PHI || in->op == IR_PARCOPY)
        parse_many(p, in);
    else if (calls)
        parse_call(p, in, outs.at, outs.n);
    else
        parse_operands(p, in, outs.at, outs.n);
    parse_attributes(p, in);
    ir_append(p->block, in);
    if (dst && !calls)
        ir_set_dst(p->func, in, dst);
}

static void
parse_line(struct parser *p)
{
    skip_space(p);
    if (!*p->at || *p->at == '\n' || *p->at == '#')
        return;
    if (take_text(p, "func ")) {
        size_t n = word_length(p->at);
        p->func = ir_func_new(p->arena, arena_strndup(p->arena, p->at, n));
        p->block = NULL; /* a block of the function before */
        return;
    }
    if (!p->func) {
        parse_fail(p, "'func'");
        return;
    }
    if (p->at == p->line_text) {
        p->block = parse_block(p);
        if (!take_text(p, ":"))
            parse_fail(p, "':'");
    } else if (p->block && take_text(p, "preds")) {
        for (skip_space(p); *p->at == 'b'; skip_space(p)) {
            struct ir_block *from = parse_block(p);
            vec_push(p->arena, &p->block->preds, from);
        }
    } else {
        parse_insn(p);
    }
}

/* Sets predecessors that no "preds" line gives. */
static void
link_blocks(struct ir_func *f)
{
    bool *given = arena_new(f->arena, bool, f->blocks.n);
    ir_foreach_block (f, b)
        given[b->id] = b->preds.n != 0;
    ir_foreach_block (f, b)
        for (unsigned k = 0; k < 2; k++)
            if (b->succ[k] && !given[b->succ[k]->id])
                vec_push(f->arena, &b->succ[k]->preds, b);
}

struct ir_func *
ir_parse(struct arena *a, const char *file, const char *text,
         struct diag_sink *sink)
{
    struct parser p = { .arena = a, .sink = sink, .file = file };
    while (*text && !p.failed) {
        p.line++;
        p.at = p.line_text = text;
        parse_line(&p);
        const char *end = strchr(text, '\n');
        text = end ? end + 1 : text + strlen(text);
    }
    if (!p.failed && (!p.func || !p.func->blocks.n)) {
        p.at = p.line_text = text;
        parse_fail(&p, "a function");
    }
    if (p.failed)
        return NULL;
    link_blocks(p.func);
    return p.func;
}
