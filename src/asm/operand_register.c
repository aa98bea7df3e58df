/* SPDX-License-Identifier: Apache-2.0 */
/* Register operands. */
#include <assert.h>

#include "asm/operand.h"
#include "asm/register.h"

static const char *
register_kind(unsigned kind)
{
    return kind == VENTUS_ISA_KIND_X   ? "a scalar register"
           : kind == VENTUS_ISA_KIND_V ? "a vector register"
                                       : "a register";
}

/* x64 to x255 can be encoded: after a prefix they are read, see insn.c. */
const char *
register_missing(struct assembler *a, unsigned operand, char file,
                 unsigned number)
{
    return arena_printf(a->arena, "operand %u: there is no register '%c%u': %s",
                        operand, file, number,
                        file == 'x' ? "scalar ones are x0 to x63"
                                    : "vector ones are v0 to v255");
}

static bool
read_one(struct assembler *a, struct attempt *t, unsigned kind, struct reg *out)
{
    const char *at = a->p;
    struct span s = lex_name(a);
    char file;
    unsigned number;
    if (!s.n || !register_named(s, &file, &number)) {
        if (s.n && register_is_float(s))
            return attempt_fail_why(
                t, at,
                arena_printf(a->arena,
                             "operand %u: there is no register '%.*s': "
                             "floating point is in x and v registers",
                             t->operand, (int)s.n, s.at));
        return attempt_fail(t, at, register_kind(kind));
    }
    if ((kind == VENTUS_ISA_KIND_X && file != 'x') ||
        (kind == VENTUS_ISA_KIND_V && file != 'v'))
        return attempt_fail(t, at, register_kind(kind));
    if (number > 255)
        return attempt_fail_why(t, at,
                                register_missing(a, t->operand, file, number));
    *out = (struct reg){ .file = file, .number = (uint8_t)number };
    return true;
}

/* [x5:x4]: the odd register, then the even one below it. */
static bool
read_pair(struct assembler *a, struct attempt *t, unsigned kind,
          struct reg *out)
{
    assert(*a->p == '[');
    const char *at = a->p++;
    struct reg high, low;
    lex_blanks(a);
    if (!read_one(a, t, kind, &high))
        return false;
    lex_blanks(a);
    if (*a->p != ':' && *a->p != ',')
        return attempt_fail(t, a->p, "':' in a register pair");
    a->p++;
    lex_blanks(a);
    if (!read_one(a, t, kind, &low))
        return false;
    lex_blanks(a);
    if (*a->p != ']')
        return attempt_fail(t, a->p, "']' after a register pair");
    a->p++;
    if (high.file != low.file || high.number != low.number + 1 ||
        low.number % 2)
        return attempt_fail_why(
            t, at,
            arena_printf(a->arena,
                         "operand %u: a pair is an odd register and the even "
                         "one below it, as in [%c%u:%c%u]",
                         t->operand, high.file, low.number | 1, high.file,
                         low.number & ~1));
    *out = low;
    out->pair = true;
    return true;
}

bool
register_read(struct assembler *a, struct attempt *t,
              const struct ventus_isa_field *f)
{
    struct reg r;
    const char *at = a->p;
    if (*at == '[') {
        if (!read_pair(a, t, f->kind, &r))
            return false;
    } else if (!read_one(a, t, f->kind, &r)) {
        return false;
    }
    if (f->pair && r.number % 2)
        return attempt_fail_why(
            t, at,
            arena_printf(a->arena,
                         "operand %u: expected a register pair, named by its "
                         "even register, found '%c%u'",
                         t->operand, r.file, r.number));
    unsigned slot = f->member, bit = 1u << slot;
    assert(slot < 4 && (!r.pair || r.number % 2 == 0));
    t->slots |= (uint8_t)bit;
    if (r.pair && !f->pair)
        t->pairs |= (uint8_t)bit;
    if (f->pair)
        t->pair_fields |= (uint8_t)bit;
    t->regs[slot] = r;
    t->slot_at[slot] = at;
    t->slot_operand[slot] = (uint8_t)t->operand;
    t->in.reg[slot] = r.number;
    return true;
}

void
register_read_accumulator(struct assembler *a, struct attempt *t)
{
    struct mark m = mark_here(a);
    struct attempt scratch = { .operand = t->operand + 1 };
    struct reg r;
    if (!lex_take(a, ',')) {
        mark_return(a, m);
        return;
    }
    lex_blanks(a);
    const char *at = a->p;
    bool ok = *at == '[' ? read_pair(a, &scratch, VENTUS_ISA_KIND_V, &r)
                         : read_one(a, &scratch, VENTUS_ISA_KIND_V, &r);
    if (!ok) { /* the mask, or text after the end, which is reported */
        mark_return(a, m);
        return;
    }
    t->accumulator = r;
    t->accumulator_at = at;
    t->accumulator_operand = (uint8_t)scratch.operand;
}
