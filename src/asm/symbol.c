/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>

#include "asm/symbol.h"

static struct symbol *
make(struct assembler *a, struct span name)
{
    struct symbol *s = arena_new(a->arena, struct symbol, 1);
    s->name = name.at;
    s->name_length = (uint32_t)name.n;
    return s;
}

struct symbol *
symbol_get(struct assembler *a, struct span name)
{
    void **at = map_put(a->arena, &a->symbols, name.at, name.n);
    if (!*at)
        *at = make(a, name);
    return *at;
}

struct symbol *
symbol_find(const struct assembler *a, struct span name)
{
    void **at = map_find(&a->symbols, name.at, name.n);
    return at ? *at : NULL;
}

static void
place_label(struct assembler *a, struct symbol *s, const char *at)
{
    assert(s->state == SYMBOL_UNDEFINED && !s->set);
    s->state = SYMBOL_LABEL;
    s->section = a->section;
    s->offset = a->section->size;
    s->defined = position_here(a, at);
    if (a->pending.section)
        asm_report(a, DIAG_WARNING, &s->defined,
                   "a label between '%s' and its instruction: what jumps here "
                   "leaves the prefix out",
                   ventus_isa_info[a->pending.op].name);
}

void
symbol_define_label(struct assembler *a, struct span name)
{
    struct symbol *s = symbol_get(a, name);
    if (s->state != SYMBOL_UNDEFINED) {
        asm_error(a, name.at, "'%.*s' is already defined", (int)name.n,
                  name.at);
        if (s->defined.origin)
            asm_report(a, DIAG_NOTE, &s->defined, "here");
        return;
    }
    place_label(a, s, name.at);
}

static struct local_label *
local_label(struct assembler *a, struct span digits)
{
    assert(digits.n && lex_is(*digits.at, CLASS_DIGIT));
    if (digits.n == 1)
        return &a->small_labels[*digits.at - '0'];
    void **at = map_put(a->arena, &a->local_labels, digits.at, digits.n);
    if (!*at)
        *at = arena_new(a->arena, struct local_label, 1);
    return *at;
}

void
symbol_define_local(struct assembler *a, struct span digits)
{
    struct local_label *l = local_label(a, digits);
    l->last = l->next ? l->next : make(a, (struct span){ NULL, 0 });
    l->next = NULL;
    assert(!l->last->name);
    place_label(a, l->last, digits.at);
}

struct symbol *
symbol_local_use(struct assembler *a)
{
    const char *p = a->p;
    while (lex_is(*p, CLASS_DIGIT))
        p++;
    if ((*p != 'b' && *p != 'f') || lex_is(p[1], CLASS_NAME | CLASS_DIGIT))
        return NULL;
    struct span digits = { a->p, (size_t)(p - a->p) };
    struct local_label *l = local_label(a, digits);
    if (*p == 'b' && !l->last)
        return NULL;
    assert(!l->last || l->last->state == SYMBOL_LABEL);
    a->p = p + 1;
    if (*p == 'b')
        return l->last;
    if (!l->next) {
        l->next = make(a, (struct span){ NULL, 0 });
        l->next->defined = position_here(a, digits.at);
    }
    assert(l->next->state == SYMBOL_UNDEFINED);
    return l->next;
}

void
symbol_set(struct assembler *a, struct span name, struct value v, bool fixed)
{
    struct symbol *s = symbol_get(a, name);
    if (s->state == SYMBOL_LABEL || s->fixed ||
        (fixed && s->state != SYMBOL_UNDEFINED)) {
        asm_error(a, name.at, "'%.*s' is already defined", (int)name.n,
                  name.at);
        if (s->defined.origin)
            asm_report(a, DIAG_NOTE, &s->defined, "here");
        return;
    }
    if (v.add == &a->pc)
        v = symbol_here(a);
    assert(s->state != SYMBOL_LABEL && !s->fixed);
    s->state = SYMBOL_SET;
    s->fixed = fixed;
    s->set = arena_new(a->arena, struct value, 1);
    *s->set = v;
    s->defined = position_here(a, name.at);
}

struct value
symbol_here(struct assembler *a)
{
    return (struct value){ .add = &a->section->anchor,
                           .num = (int64_t)a->section->size };
}

struct symbol *
symbol_anonymous(struct assembler *a, uint64_t offset)
{
    struct symbol *s = make(a, (struct span){ NULL, 0 });
    s->state = SYMBOL_LABEL;
    assert(offset <= a->section->size);
    s->section = a->section;
    s->offset = offset;
    return s;
}
