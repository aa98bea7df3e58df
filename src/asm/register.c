/* SPDX-License-Identifier: Apache-2.0 */
/* Register operands. */
#include <assert.h>

#include "asm/operand.h"

/* "12" of x12: no leading zero, at most four digits; -1 if it is not. */
static int
decimal(const char *p, size_t n)
{
    int value = 0;
    if (n == 0 || n > 4 || (n > 1 && *p == '0'))
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (!lex_is(p[i], CLASS_DIGIT))
            return -1;
        value = value * 10 + (p[i] - '0');
    }
    return value;
}

/* ABI names of x registers, manual 3.1; -1 if it is none. */
static int
abi_register(struct span s)
{
    assert(s.n >= 2);
    int n = decimal(s.at + 1, s.n - 1);
    switch (s.at[0]) {
    case 'a':
        return n >= 0 && n <= 7 ? 10 + n : -1;
    case 's':
        if (n < 0)
            return span_is(s, "sp") ? 2 : -1;
        return n <= 1 ? 8 + n : n <= 11 ? 16 + n : -1;
    case 't':
        if (n < 0)
            return span_is(s, "tp") ? 4 : -1;
        return n <= 2 ? 5 + n : n <= 6 ? 25 + n : -1;
    case 'z':
        return span_is(s, "zero") ? 0 : -1;
    case 'r':
        return span_is(s, "ra") ? 1 : -1;
    case 'g':
        return span_is(s, "gp") ? 3 : -1;
    case 'f':
        return span_is(s, "fp") ? 8 : -1;
    }
    return -1;
}

bool
operand_register(struct span s, char *file, unsigned *number)
{
    if (s.n < 2 || s.n > 5)
        return false;
    int n;
    if (*s.at == 'x' || *s.at == 'v') {
        n = decimal(s.at + 1, s.n - 1);
        *file = *s.at;
    } else {
        n = abi_register(s);
        *file = 'x';
    }
    *number = (unsigned)n;
    return n >= 0;
}

bool
operand_is_register(struct span s)
{
    char file;
    unsigned number;
    return operand_register(s, &file, &number);
}

static const char *
register_kind(unsigned kind)
{
    return kind == VENTUS_ISA_KIND_X   ? "a scalar register"
           : kind == VENTUS_ISA_KIND_V ? "a vector register"
                                       : "a register";
}

/* fa0 and its kin, which some would write. */
static bool
is_f_register(struct span s)
{
    if (s.n < 2 || s.at[0] != 'f')
        return false;
    size_t skip = lex_is(s.at[1], CLASS_DIGIT) ? 1 : 2;
    return strchr("ats0123456789", s.at[1]) &&
           decimal(s.at + skip, s.n - skip) >= 0;
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
    if (!s.n || !operand_register(s, &file, &number)) {
        if (s.n && is_f_register(s))
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
        return attempt_fail(t, a->p, "']' behind a register pair");
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
    if (!ok) { /* the mask, or what is reported as behind the end */
        mark_return(a, m);
        return;
    }
    t->accumulator = r;
    t->accumulator_at = at;
    t->accumulator_operand = (uint8_t)scratch.operand;
}
