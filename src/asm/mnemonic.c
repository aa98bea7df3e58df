/* SPDX-License-Identifier: Apache-2.0 */
/* Names at the start of statements, and suggestions for unknown ones. */
#include <assert.h>

#include "asm/expr.h"
#include "asm/insn.h"
#include "asm/mnemonic.h"
#include "asm/pseudo.h"

static struct mnemonic *
get(struct assembler *a, const char *name)
{
    void **at = map_put(a->arena, &a->mnemonics, name, strlen(name));
    if (!*at) {
        struct mnemonic *m = arena_new(a->arena, struct mnemonic, 1);
        m->name = name;
        m->last = &m->first;
        *at = m;
    }
    return *at;
}

static void
add(struct assembler *a, struct mnemonic *m, struct candidate c)
{
    assert(c.op && c.op < VENTUS_ISA_OP_COUNT && c.syntax);
    m->versions |= ventus_isa_info[c.op].versions;
    if (!(ventus_isa_info[c.op].versions & a->version))
        return;
    *m->last = arena_new(a->arena, struct candidate, 1);
    assert(!c.next);
    **m->last = c;
    m->last = &(*m->last)->next;
}

static bool
has_aqrl(unsigned op)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < f->fields; i++)
        if (ventus_isa_fields[f->field[i]].kind == VENTUS_ISA_KIND_AQRL)
            return true;
    return false;
}

static void
add_row(struct assembler *a, unsigned op, const char *name, uint8_t aqrl)
{
    struct mnemonic *m = get(a, name);
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[op].format];
    m->aqrl = aqrl;
    for (unsigned i = 0; i < 4; i++)
        if (f->syntax[i])
            add(a, m,
                (struct candidate){ .syntax = f->syntax[i],
                                    .op = (uint16_t)op });
}

static void
add_rows(struct assembler *a)
{
    static const char *const suffix[4] = { "", ".rl", ".aq", ".aqrl" };
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++) {
        add_row(a, op, ventus_isa_info[op].name, 0);
        for (uint8_t i = 1; i < 4 && has_aqrl(op); i++)
            add_row(a, op,
                    arena_printf(a->arena, "%s%s", ventus_isa_info[op].name,
                                 suffix[i]),
                    i);
    }
}

/*
 * A pseudo-instruction: its operands are read into the fields %r (rd),
 * %s (rs2) and %a (imm_j, an expression), then pseudo.c takes over.
 */
static void
add_pseudo(struct assembler *a, const char *name, const char *pattern,
           enum pseudo pseudo, enum ventus_isa_op op)
{
    char syntax[32];
    size_t n = 0;
    for (const char *p = pattern; *p && n < sizeof syntax - 1; p++) {
        if (*p != '%') {
            syntax[n++] = *p;
            continue;
        }
        p++;
        const char *field = *p == 'r' ? "rd" : *p == 's' ? "rs2" : "imm_j";
        syntax[n++] = (char)(128 + insn_field(field));
    }
    add(a, get(a, name),
        (struct candidate){ .syntax = arena_strndup(a->arena, syntax, n),
                            .op = (uint16_t)op,
                            .pseudo = (uint8_t)pseudo });
}

static void
add_pseudos(struct assembler *a)
{
    static const enum ventus_isa_op loads[] = { VENTUS_ISA_LB, VENTUS_ISA_LH,
                                                VENTUS_ISA_LW, VENTUS_ISA_LBU,
                                                VENTUS_ISA_LHU };
    static const enum ventus_isa_op stores[] = { VENTUS_ISA_SB, VENTUS_ISA_SH,
                                                 VENTUS_ISA_SW };
    add_pseudo(a, "li", "%r, %a", PSEUDO_LI, VENTUS_ISA_ADDI);
    add_pseudo(a, "la", "%r, %a", PSEUDO_LA, VENTUS_ISA_ADDI);
    add_pseudo(a, "lla", "%r, %a", PSEUDO_LA, VENTUS_ISA_ADDI);
    add_pseudo(a, "call", "%a", PSEUDO_CALL, VENTUS_ISA_JALR);
    add_pseudo(a, "call", "%r, %a", PSEUDO_CALL, VENTUS_ISA_JALR);
    add_pseudo(a, "tail", "%a", PSEUDO_TAIL, VENTUS_ISA_JALR);
    add_pseudo(a, "setrpc", "%a", PSEUDO_SETRPC, VENTUS_ISA_SETRPC);
    for (unsigned i = 0; i < sizeof loads / sizeof loads[0]; i++)
        add_pseudo(a, ventus_isa_info[loads[i]].name, "%r, %a", PSEUDO_LOAD,
                   loads[i]);
    for (unsigned i = 0; i < sizeof stores / sizeof stores[0]; i++)
        add_pseudo(a, ventus_isa_info[stores[i]].name, "%s, %a, %r",
                   PSEUDO_STORE, stores[i]);
}

void
mnemonic_directive(struct assembler *a, const char *name, directive_fn run,
                   int argument)
{
    struct mnemonic *m = get(a, name);
    assert(!m->first && !m->directive && "two meanings of a name");
    m->directive = run;
    m->argument = argument;
}

void
mnemonic_fill(struct assembler *a)
{
    add_rows(a);
    for (unsigned i = 0; i < VENTUS_ISA_ALIAS_COUNT; i++) {
        const struct ventus_isa_alias *alias = &ventus_isa_aliases[i];
        if (strcmp(alias->name, "li") == 0)
            continue; /* of any number: pseudo.c */
        add(a, get(a, alias->name),
            (struct candidate){
                .syntax = alias->syntax, .alias = alias, .op = alias->op });
    }
    add_pseudos(a);
}

/* Levenshtein distance of names below 32 bytes, transpositions count one. */
static unsigned
distance(const char *s, size_t n, const char *t, size_t m)
{
    unsigned row[3][33];
    assert(n <= 32 && m <= 32);
    for (size_t j = 0; j <= m; j++)
        row[1][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *now = row[(i + 1) % 3], *up = row[i % 3],
                 *up2 = row[(i + 2) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned best = up[j - 1] + (s[i - 1] != t[j - 1]);
            if (up[j] + 1 < best)
                best = up[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && s[i - 1] == t[j - 2] &&
                s[i - 2] == t[j - 1] && up2[j - 2] + 1 < best)
                best = up2[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[(n + 1) % 3][m];
}

/* The name that looks most like it, or NULL. */
static const char *
nearest_name(const struct assembler *a, struct span name)
{
    const char *best = NULL;
    unsigned least = name.n < 6 ? 2 : 3; /* less than this */
    if (name.n > 32)
        return NULL;
    for (size_t i = 0; i < a->mnemonics.n; i++) {
        const struct map_entry *e = &a->mnemonics.entry[i];
        const struct mnemonic *m = e->value;
        if (e->length > 32 || (!m->directive && !m->first) ||
            (*e->key == '.') != (*name.at == '.'))
            continue;
        unsigned d = distance(name.at, name.n, e->key, e->length);
        if (d < least) {
            least = d;
            best = e->key;
        }
    }
    return best;
}

static const char *
versions_text(unsigned versions)
{
    return versions == VENTUS_ISA_V1 ? "1" : "2";
}

static void
report_unknown(struct assembler *a, struct span name)
{
    const char *near = nearest_name(a, name);
    const char *what = *name.at == '.' ? "directive" : "instruction";
    if (near)
        asm_error(a, name.at, "unknown %s '%.*s'; did you mean '%s'?", what,
                  (int)name.n, name.at, near);
    else
        asm_error(a, name.at, "unknown %s '%.*s'", what, (int)name.n, name.at);
}

/* The first operand that an error says was expected, where two syntaxes of the name
 * expect different ones; that one of them expects the end is no help. */
static const char *
either(struct assembler *a, const char *one, const char *two)
{
    if (strncmp(two, "the end", 7) == 0 || strstr(one, two))
        return one;
    if (strncmp(one, "the end", 7) == 0)
        return two;
    return arena_printf(a->arena, "%s or %s", one, two);
}

/* The failure that got furthest. */
static void
report_failure(struct assembler *a, const struct attempt *t)
{
    if (t->why)
        asm_error(a, t->fail_at, "%s", t->why);
    else
        asm_error(a, t->fail_at, "operand %u: expected %s, found %s",
                  t->operand, t->expected, lex_found(a, t->fail_at));
}

static void
apply_alias(struct attempt *t, const struct ventus_isa_alias *alias)
{
    for (unsigned i = 0; i < alias->fixed; i++) {
        assert(alias->fix[i].field < VENTUS_ISA_FIELD_COUNT);
        const struct ventus_isa_field *f =
            &ventus_isa_fields[alias->fix[i].field];
        int32_t value = alias->fix[i].value;
        if (alias->fix[i].same)
            value = ventus_isa_get(&t->in,
                                   &ventus_isa_fields[alias->fix[i].same - 1]);
        if (f->member == VENTUS_ISA_MEMBER_IMM) {
            t->has_imm = true;
            t->imm_field = alias->fix[i].field;
            t->imm = value_of(value);
        } else {
            ventus_isa_set(&t->in, f, value);
        }
    }
}

static bool
try_candidate(struct assembler *a, const struct candidate *c, uint8_t aqrl,
              struct attempt *t)
{
    memset(t, 0, sizeof *t);
    assert(c->op && c->op < VENTUS_ISA_OP_COUNT);
    assert(ventus_isa_info[c->op].versions & a->version);
    t->in.op = c->op;
    t->in.vm = 1;
    t->in.aqrl = aqrl;
    t->in.rm = 7;
    if (!match_syntax(a, t, c->syntax))
        return false;
    if (c->alias)
        apply_alias(t, c->alias);
    return true;
}

/* Directives and instructions; macros have been looked up before. */
bool
mnemonic_statement(struct assembler *a, struct span name)
{
    void **found = map_find(&a->mnemonics, name.at, name.n);
    if (!found) {
        report_unknown(a, name);
        return false;
    }
    const struct mnemonic *m = *found;
    if (m->directive)
        return m->directive(a, m->argument);
    if (!m->first) {
        asm_error(a, name.at,
                  "'%.*s' is only in version %s of the instruction set: "
                  "expected -march=ventus%s",
                  (int)name.n, name.at, versions_text(m->versions),
                  versions_text(m->versions));
        return false;
    }
    struct mark start = mark_here(a);
    struct attempt t, best = { .fail_at = NULL };
    for (const struct candidate *c = m->first; c; c = c->next) {
        if (try_candidate(a, c, m->aqrl, &t))
            return c->pseudo ? pseudo_emit(a, (enum pseudo)c->pseudo, &t)
                             : insn_emit(a, &t);
        if (!best.fail_at || t.fail_at > best.fail_at ||
            (t.fail_at == best.fail_at && t.why && !best.why))
            best = t;
        else if (t.fail_at == best.fail_at && t.operand == 1 && !best.why)
            best.expected = either(a, best.expected, t.expected);
        mark_return(a, start);
    }
    report_failure(a, &best);
    return false;
}
