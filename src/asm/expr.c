/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "asm/expr.h"

#include "asm/lex.h"
#include "asm/register.h"
#include "asm/symbol.h"

enum { MAX_RESOLVE_STEPS = 10000 };

enum operator{
    OP_NONE,
    OP_OR_OR,
    OP_AND_AND,
    OP_OR,
    OP_XOR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_GT,
    OP_LE,
    OP_GE,
    OP_SHL,
    OP_SHR,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_NOT /* unary, left only */
};

static const uint8_t precedence[] = {
    [OP_OR_OR] = 1, [OP_AND_AND] = 2, [OP_OR] = 3,   [OP_XOR] = 4,
    [OP_AND] = 5,   [OP_EQ] = 6,      [OP_NE] = 6,   [OP_LT] = 7,
    [OP_GT] = 7,    [OP_LE] = 7,      [OP_GE] = 7,   [OP_SHL] = 8,
    [OP_SHR] = 8,   [OP_ADD] = 9,     [OP_SUB] = 9,  [OP_MUL] = 10,
    [OP_DIV] = 10,  [OP_MOD] = 10,    [OP_NOT] = 11,
};

static bool
expr_fail(struct assembler *a, const char *at, const char *why)
{
    a->expr_error = why;
    a->expr_error_at = at;
    return false;
}

static int64_t
wrap(uint64_t x)
{
    return (int64_t)x;
}

/* The value of a binary operator; the caller excludes division by zero. */
static int64_t
calculate(enum operator op, int64_t l, int64_t r)
{
    assert(op != OP_NONE && op <= OP_NOT);
    assert((op != OP_DIV && op != OP_MOD) || r != 0);
    uint64_t x = (uint64_t)l, y = (uint64_t)r;
    switch (op) {
    case OP_OR_OR:
        return l || r;
    case OP_AND_AND:
        return l && r;
    case OP_OR:
        return l | r;
    case OP_XOR:
        return l ^ r;
    case OP_AND:
        return l & r;
    case OP_EQ:
        return l == r;
    case OP_NE:
        return l != r;
    case OP_LT:
        return l < r;
    case OP_GT:
        return l > r;
    case OP_LE:
        return l <= r;
    case OP_GE:
        return l >= r;
    case OP_SHL:
        return y > 63 ? 0 : wrap(x << y);
    case OP_SHR:
        return y > 63 ? 0 : wrap(x >> y);
    case OP_ADD:
        return wrap(x + y);
    case OP_SUB:
        return wrap(x - y);
    case OP_MUL:
        return wrap(x * y);
    case OP_DIV:
        return r == -1 ? wrap(0 - x) : l / r;
    case OP_MOD:
        return r == -1 ? 0 : l % r;
    case OP_NOT:
        return !l;
    case OP_NONE:
        break;
    }
    return 0;
}

/* Drops add - sub if both are places in one section. */
static void
fold_difference(struct value *v)
{
    if (!v->add || !v->sub)
        return;
    if (v->add == v->sub) {
        v->add = v->sub = NULL;
        return;
    }
    if (v->add->state != SYMBOL_LABEL || v->sub->state != SYMBOL_LABEL ||
        v->add->section != v->sub->section)
        return;
    assert(v->add->section); /* a label lies in one */
    v->num = wrap((uint64_t)v->num + v->add->offset - v->sub->offset);
    v->add = v->sub = NULL;
}

/* l + r or l - r as add - sub + num, if it can be said so. */
static bool
add_values(struct value l, struct value r, bool minus, struct value *out)
{
    if (minus) {
        struct symbol *s = r.add;
        r.add = r.sub;
        r.sub = s;
        r.num = wrap(0 - (uint64_t)r.num);
    }
    struct value v = { .num = wrap((uint64_t)l.num + (uint64_t)r.num) };
    if (l.add && r.sub) {
        struct value d = { .add = l.add, .sub = r.sub };
        fold_difference(&d);
        v.num = wrap((uint64_t)v.num + (uint64_t)d.num);
        l.add = d.add;
        r.sub = d.sub;
    }
    if (r.add && l.sub) {
        struct value d = { .add = r.add, .sub = l.sub };
        fold_difference(&d);
        v.num = wrap((uint64_t)v.num + (uint64_t)d.num);
        r.add = d.add;
        l.sub = d.sub;
    }
    if ((l.add && r.add) || (l.sub && r.sub) || l.tree || r.tree)
        return false;
    v.add = l.add ? l.add : r.add;
    v.sub = l.sub ? l.sub : r.sub;
    *out = v;
    return true;
}

/* Two places of one section compare as their offsets do. */
static bool
compare_places(enum operator op, struct value l, struct value r,
               struct value *out)
{
    struct value d;
    if (precedence[op] != precedence[OP_EQ] &&
        precedence[op] != precedence[OP_LT])
        return false;
    if (!add_values(l, r, true, &d) || !value_is_number(&d))
        return false;
    *out = value_of(calculate(op, d.num, 0));
    return true;
}

static struct value
combine(struct assembler *a, enum operator op, struct value l, struct value r)
{
    struct value v;
    if (value_is_number(&l) && value_is_number(&r) &&
        ((op != OP_DIV && op != OP_MOD) || r.num != 0))
        return value_of(calculate(op, l.num, r.num));
    if ((op == OP_ADD || op == OP_SUB) && add_values(l, r, op == OP_SUB, &v))
        return v;
    if (compare_places(op, l, r, &v))
        return v;
    struct tree *t = arena_new(a->arena, struct tree, 1);
    assert(!value_is_number(&l) || !value_is_number(&r) || !r.num);
    *t = (struct tree){ (char)op, l, r };
    return (struct value){ .tree = t };
}

static enum operator operator_at(const char *p, unsigned *length)
{
    *length = 2;
    switch (p[0]) {
    case '|':
        return p[1] == '|' ? OP_OR_OR : (*length = 1, OP_OR);
    case '&':
        return p[1] == '&' ? OP_AND_AND : (*length = 1, OP_AND);
    case '=':
        return p[1] == '=' ? OP_EQ : OP_NONE;
    case '!':
        return p[1] == '=' ? OP_NE : OP_NONE;
    case '<':
        return p[1] == '<'   ? OP_SHL
               : p[1] == '=' ? OP_LE
               : p[1] == '>' ? OP_NE
                             : (*length = 1, OP_LT);
    case '>':
        return p[1] == '>'   ? OP_SHR
               : p[1] == '=' ? OP_GE
                             : (*length = 1, OP_GT);
    }
    *length = 1;
    switch (p[0]) {
    case '^':
        return OP_XOR;
    case '+':
        return OP_ADD;
    case '-':
        return OP_SUB;
    case '*':
        return OP_MUL;
    case '/':
        return p[1] == '/' ? OP_NONE : OP_DIV;
    case '%':
        return OP_MOD;
    }
    return OP_NONE;
}

static bool
read_binary(struct assembler *a, unsigned least, struct value *out);

/* A value that only a name gives: a symbol, `.`, `pc`. */
static bool
read_name(struct assembler *a, struct value *out)
{
    const char *at = a->p;
    struct span s = lex_name(a);
    if (s.n == 1 && *s.at == '.') {
        *out = symbol_here(a);
        return true;
    }
    if (a->in_operand) {
        if (s.n == 2 && s.at[0] == 'p' && s.at[1] == 'c') {
            *out = (struct value){ .add = &a->pc };
            return true;
        }
        if (register_is(s)) {
            a->p = at;
            return expr_fail(a, at, NULL);
        }
    }
    struct symbol *symbol = symbol_get(a, s);
    assert(symbol->state != SYMBOL_SET || symbol->set);
    *out = symbol->state == SYMBOL_SET ? *symbol->set
                                       : (struct value){ .add = symbol };
    return true;
}

/* 2b, when there was no 2: yet. */
static bool
is_back_label(const char *p)
{
    while (lex_is(*p, CLASS_DIGIT))
        p++;
    return *p == 'b' && !lex_is(p[1], CLASS_NAME | CLASS_DIGIT);
}

static bool
read_primary(struct assembler *a, struct value *out)
{
    const char *at = a->p, *why;
    uint64_t number;
    if (lex_is(*at, CLASS_DIGIT)) {
        struct symbol *label = symbol_local_use(a);
        if (label) {
            *out = (struct value){ .add = label };
            return true;
        }
        if (!lex_number(a, &number, &why))
            return expr_fail(a, at,
                             is_back_label(at) ? "there is no such label "
                                                 "before this"
                                               : why);
        *out = value_of((int64_t)number);
        return true;
    }
    if (*at == '"' || lex_is(*at, CLASS_NAME)) {
        if (*at != '"')
            return read_name(a, out);
        struct span s = lex_symbol_name(a, "a symbol");
        if (!s.n)
            return expr_fail(a, at, "expected an expression");
        *out = (struct value){ .add = symbol_get(a, s) };
        return true;
    }
    if (*at == '(') {
        a->p++;
        lex_blanks(a);
        if (!read_binary(a, 1, out))
            return false;
        if (!lex_take(a, ')'))
            return expr_fail(a, a->p, "expected ')'");
        return true;
    }
    if (lex_char(a, &number)) {
        *out = value_of((int64_t)number);
        return true;
    }
    return expr_fail(a, at, NULL);
}

static bool
read_unary(struct assembler *a, struct value *out)
{
    char c = *a->p;
    if (c != '-' && c != '~' && c != '!' && c != '+')
        return read_primary(a, out);
    a->p++;
    lex_blanks(a);
    struct value v;
    if (++a->expr_depth > MAX_DEPTH)
        return expr_fail(a, a->p, "the expression is nested too deep");
    bool ok = read_unary(a, &v);
    a->expr_depth--;
    if (!ok)
        return false;
    if (c == '-')
        v = combine(a, OP_SUB, value_of(0), v);
    else if (c == '~')
        v = combine(a, OP_SUB, value_of(-1), v);
    else if (c == '!')
        v = combine(a, OP_NOT, v, value_of(0));
    *out = v;
    return true;
}

/* Precedence climbing: operators that bind at least as tight as `least`. */
static bool
read_binary(struct assembler *a, unsigned least, struct value *out)
{
    if (++a->expr_depth > MAX_DEPTH)
        return expr_fail(a, a->p, "the expression is nested too deep");
    bool ok = read_unary(a, out);
    while (ok) {
        lex_blanks(a);
        unsigned length;
        const char *at = a->p;
        enum operator op = operator_at(at, &length);
        if (!op || precedence[op] < least)
            break;
        assert(op < sizeof precedence && length <= 2);
        a->p += length;
        lex_blanks(a);
        struct value right;
        ok = read_binary(a, precedence[op] + 1u, &right);
        if (ok && (op == OP_DIV || op == OP_MOD) && value_is_number(&right) &&
            right.num == 0)
            ok = expr_fail(a, at, "division by zero");
        if (ok)
            *out = combine(a, op, *out, right);
    }
    a->expr_depth--;
    return ok;
}

bool
expr_try(struct assembler *a, struct value *out)
{
    a->expr_depth = 0;
    lex_blanks(a);
    return read_binary(a, 1, out);
}

bool
expr_read(struct assembler *a, struct value *out)
{
    if (expr_try(a, out))
        return true;
    const char *why = a->expr_error, *at = a->expr_error_at;
    if (why)
        asm_error(a, at, "%s", why);
    else
        asm_error(a, at, "expected an expression, found %s", lex_found(a, at));
    return false;
}

const char *
expr_not_number(struct assembler *a, const struct value *v)
{
    if (value_is_number(v))
        return NULL;
    const struct symbol *s = v->add ? v->add : v->sub;
    if (v->tree)
        return "depends on what is not known";
    if (s->state == SYMBOL_UNDEFINED && s->name)
        return arena_printf(a->arena, "'%.*s' is not defined",
                            (int)s->name_length, s->name);
    return "is an address, whose number only the linker knows";
}

bool
expr_number(struct assembler *a, int64_t *out)
{
    struct value v;
    lex_blanks(a);
    const char *at = a->p;
    if (!expr_read(a, &v))
        return false;
    v = expr_resolve(a, v);
    const char *why = expr_not_number(a, &v);
    if (why) {
        asm_error(a, at, "expected a number that is known here: %s",
                  v.tree ? "it depends on what is not known" : why);
        return false;
    }
    *out = v.num;
    return true;
}

/* Steps are counted: .set b, c+c; .set a, b+b; ... doubles at each line. */
static struct value
resolve(struct assembler *a, struct value v, unsigned depth)
{
    if (depth > MAX_DEPTH || a->resolve_steps++ > MAX_RESOLVE_STEPS)
        return v;
    if (v.tree) {
        struct tree *t = v.tree;
        return combine(a, (enum operator)t->op, resolve(a, t->left, depth + 1),
                       resolve(a, t->right, depth + 1));
    }
    struct value out = value_of(v.num);
    struct symbol *part[2] = { v.add, v.sub };
    for (int i = 0; i < 2; i++) {
        if (!part[i])
            continue;
        struct value s = { .add = part[i] };
        if (part[i]->state == SYMBOL_SET)
            s = resolve(a, *part[i]->set, depth + 1);
        out = combine(a, i ? OP_SUB : OP_ADD, out, s);
    }
    return out;
}

struct value
expr_resolve(struct assembler *a, struct value v)
{
    if (value_is_number(&v))
        return v;
    a->resolve_steps = 0;
    return resolve(a, v, 0);
}
