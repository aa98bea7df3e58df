/* SPDX-License-Identifier: Apache-2.0 */
/* Conditional assembly: .if and similar directives. */
#include <assert.h>

#include "asm/condition.h"
#include "asm/expr.h"
#include "asm/mnemonic.h"
#include "asm/symbol.h"

static bool
is_active(const struct assembler *a)
{
    return !a->conditions.n || a->conditions.at[a->conditions.n - 1].active;
}

static bool
is_defined(struct assembler *a, bool *out)
{
    struct span name = lex_symbol_name(a, "a symbol");
    if (!name.n)
        return false;
    const struct symbol *s = symbol_find(a, name);
    *out = s && s->state != SYMBOL_UNDEFINED;
    return true;
}

/* .ifc a, b: the same text, blanks around it aside. */
static bool
same_text(struct assembler *a, bool *out)
{
    struct span rest = lex_rest(a);
    const char *comma = rest.n ? memchr(rest.at, ',', rest.n) : NULL;
    if (!comma) {
        asm_error(a, rest.at, "expected two texts with a comma between");
        return false;
    }
    struct span l = { rest.at, (size_t)(comma - rest.at) };
    struct span r = { comma + 1, rest.n - l.n - 1 };
    while (l.n && lex_is(l.at[l.n - 1], CLASS_BLANK))
        l.n--;
    while (r.n && lex_is(*r.at, CLASS_BLANK)) {
        r.at++;
        r.n--;
    }
    *out = l.n == r.n && memcmp(l.at, r.at, l.n) == 0;
    return true;
}

static bool
compare(struct assembler *a, enum condition_kind kind, bool *out)
{
    int64_t v;
    if (!expr_number(a, &v))
        return false;
    *out = kind == COND_EQ   ? v == 0
           : kind == COND_LT ? v < 0
           : kind == COND_LE ? v <= 0
           : kind == COND_GT ? v > 0
           : kind == COND_GE ? v >= 0
                             : v != 0;
    return true;
}

static bool
test(struct assembler *a, enum condition_kind kind, bool *out)
{
    bool ok = true;
    lex_blanks(a);
    switch (kind) {
    case COND_IF:
    case COND_EQ:
    case COND_NE:
    case COND_LT:
    case COND_LE:
    case COND_GT:
    case COND_GE:
        return compare(a, kind, out);
    case COND_DEF:
    case COND_NDEF:
        ok = is_defined(a, out);
        break;
    case COND_BLANK:
    case COND_NBLANK:
        *out = lex_rest(a).n == 0;
        break;
    case COND_SAME:
    case COND_NSAME:
        ok = same_text(a, out);
        break;
    }
    if (kind == COND_NDEF || kind == COND_NBLANK || kind == COND_NSAME)
        *out = !*out;
    return ok;
}

/* A condition that cannot be read is false; its .endif is still wanted. */
bool
directive_if(struct assembler *a, int kind)
{
    bool outer = is_active(a), yes = false, ok = true;
    struct position position = position_here(a, a->start);
    if (outer)
        ok = test(a, (enum condition_kind)kind, &yes);
    else
        lex_skip_statement(a);
    assert(a->conditions.n >= a->frame->conditions);
    vec_push(a->arena, &a->conditions,
             ((struct condition){ .position = position,
                                  .active = outer && yes,
                                  .taken = yes,
                                  .outer = outer }));
    return ok;
}

/* The innermost .if of this text, or NULL after an error. */
static struct condition *
innermost(struct assembler *a, const char *what)
{
    if (a->conditions.n > a->frame->conditions)
        return &a->conditions.at[a->conditions.n - 1];
    asm_error(a, a->start, "%s without an .if", what);
    lex_skip_statement(a);
    return NULL;
}

bool
directive_elseif(struct assembler *a, int argument)
{
    bool yes = false, ok = true;
    struct condition *c = innermost(a, ".elseif");
    (void)argument;
    if (!c)
        return false;
    if (c->had_else)
        asm_error(a, a->start, ".elseif after .else");
    if (c->outer && !c->taken)
        ok = test(a, COND_IF, &yes);
    else
        lex_skip_statement(a);
    assert(!yes || (c->outer && !c->taken));
    c->active = yes;
    c->taken = c->taken || yes;
    return ok;
}

bool
directive_else(struct assembler *a, int argument)
{
    struct condition *c = innermost(a, ".else");
    (void)argument;
    if (!c)
        return false;
    if (c->had_else)
        asm_error(a, a->start, "a second .else");
    assert(c->outer || !c->active); /* nothing inside of a skipped .if */
    c->had_else = true;
    c->active = c->outer && !c->taken;
    c->taken = true;
    return true;
}

bool
directive_endif(struct assembler *a, int argument)
{
    (void)argument;
    if (!innermost(a, ".endif"))
        return false;
    assert(a->conditions.n > a->frame->conditions);
    a->conditions.n--;
    return true;
}

void
directive_skipped(struct assembler *a, struct span name)
{
    if (name.n && *name.at == '.') {
        void **found = map_find(&a->mnemonics, name.at, name.n);
        const struct mnemonic *m = found ? *found : NULL;
        directive_fn run = m ? m->directive : NULL;
        if (run == directive_if || run == directive_elseif ||
            run == directive_else || run == directive_endif) {
            lex_blanks(a);
            if (run(a, m->argument)) {
                lex_blanks(a);
                if (!lex_at_end(a))
                    asm_error(a, a->p,
                              "expected the end of the statement, found %s",
                              lex_found(a, a->p));
            }
        }
    }
    lex_skip_statement(a);
}
