/* SPDX-License-Identifier: Apache-2.0 */
#include "asm/operand.h"

#include "asm/expr.h"
#include "asm/register.h"
#include "base/spelling.h"

/* A modifier, `%lo(` and similar; p does not move if there is none. */
static enum modifier
read_modifier(struct assembler *a)
{
    static const char *const names[] = { "", "hi", "lo", "pcrel_hi",
                                         "pcrel_lo" };
    if (*a->p != '%')
        return MOD_NONE;
    const char *at = a->p++;
    struct span s = lex_name(a);
    lex_blanks(a);
    for (unsigned i = 1; i <= MOD_PCREL_LO; i++)
        if (*a->p == '(' && span_is(s, names[i]))
            return (enum modifier)i;
    a->p = at;
    return MOD_NONE;
}

/* The modifiers that a field takes. */
static bool
takes(const struct ventus_isa_field *f, enum modifier m)
{
    if (f->kind == VENTUS_ISA_KIND_HI)
        return m == MOD_HI || m == MOD_PCREL_HI;
    return (f->reloc == VENTUS_ISA_RELOC_I || f->reloc == VENTUS_ISA_RELOC_S) &&
           (m == MOD_LO || m == MOD_PCREL_LO);
}

static const char *
immediate_kind(const struct ventus_isa_field *f)
{
    if (f->kind == VENTUS_ISA_KIND_B || f->kind == VENTUS_ISA_KIND_J)
        return "a label or a distance";
    if (f->kind == VENTUS_ISA_KIND_HI)
        return "a number or %hi(symbol)";
    return "a number";
}

/* Whether "(register)" follows: then the number before it was left out. */
static bool
number_left_out(struct assembler *a)
{
    struct mark m = mark_here(a);
    bool yes = false;
    if (*a->p == '(') {
        a->p++;
        lex_blanks(a);
        struct span s = lex_name(a);
        yes = *a->p == '[' || (s.n && register_is(s));
    }
    mark_return(a, m);
    return yes;
}

static bool
read_immediate(struct assembler *a, struct attempt *t, unsigned field,
               char next)
{
    const struct ventus_isa_field *f = &ventus_isa_fields[field];
    t->has_imm = true;
    t->imm_field = (uint8_t)field;
    t->imm_at = a->p;
    t->imm_operand = (uint8_t)t->operand;
    t->imm = value_of(0);
    if (next == '(' && number_left_out(a))
        return true;
    enum modifier m = read_modifier(a);
    if (m && !takes(f, m))
        return attempt_fail(t, t->imm_at, immediate_kind(f));
    if (!m && *a->p == '%')
        return attempt_fail_why(t, a->p,
                                "expected %hi(), %lo(), %pcrel_hi() or "
                                "%pcrel_lo()");
    t->modifier = (uint8_t)m;
    a->in_operand = true;
    bool ok = expr_try(a, &t->imm);
    a->in_operand = false;
    if (!ok && a->expr_error)
        return attempt_fail_why(t, a->expr_error_at, a->expr_error);
    if (!ok)
        return attempt_fail(t, a->expr_error_at, immediate_kind(f));
    /* Compilers write it at calls; there is no PLT here. */
    if (f->kind == VENTUS_ISA_KIND_J && strncmp(a->p, "@plt", 4) == 0)
        a->p += 4;
    return true;
}

/* A number that must be known, for fields that no relocation fits. */
static bool
read_known(struct assembler *a, struct attempt *t, const char *expected,
           int64_t low, int64_t high, int64_t *out)
{
    const char *at = a->p;
    struct value v;
    a->in_operand = true;
    bool ok = expr_try(a, &v);
    a->in_operand = false;
    if (!ok)
        return attempt_fail(t, at, expected);
    v = expr_resolve(a, v);
    if (!value_is_number(&v))
        return attempt_fail(t, at, expected);
    if (v.num < low || v.num > high)
        return attempt_fail_why(
            t, at,
            arena_printf(a->arena, "operand %u: %lld is outside %lld..%lld",
                         t->operand, (long long)v.num, (long long)low,
                         (long long)high));
    *out = v.num;
    return true;
}

/* Fails, and names what `word` may have meant if a name is like it. */
static bool
fail_near(struct assembler *a, struct attempt *t, const char *at,
          const char *expected, const struct spelling *nearest)
{
    if (!nearest->name)
        return attempt_fail(t, at, expected);
    return attempt_fail_why(
        t, at,
        arena_printf(a->arena,
                     "operand %u: expected %s, found %s, did you mean '%s'?",
                     t->operand, expected, lex_found(a, at), nearest->name));
}

/* tid, CSR_TID, 0x800 */
static bool
read_csr(struct assembler *a, struct attempt *t,
         const struct ventus_isa_field *f)
{
    const char *at = a->p;
    int64_t number;
    struct span s = lex_name(a);
    if (s.n && s.n < 24) {
        char low[24];
        for (size_t i = 0; i < s.n; i++)
            low[i] = (char)(s.at[i] >= 'A' && s.at[i] <= 'Z' ? s.at[i] | 0x20
                                                             : s.at[i]);
        size_t skip = s.n > 4 && memcmp(low, "csr_", 4) == 0 ? 4 : 0;
        const struct ventus_isa_csr *csr =
            ventus_isa_csr_by_name(low + skip, s.n - skip);
        if (csr) {
            ventus_isa_set(&t->in, f, csr->number);
            return true;
        }
    }
    struct spelling nearest = { .word = arena_strndup(a->arena, s.at, s.n) };
    for (unsigned i = 0; s.n && i < VENTUS_ISA_CSR_COUNT; i++)
        spelling_offer(&nearest, ventus_isa_csrs[i].name);
    a->p = at;
    if (!read_known(a, t, "the name or number of a CSR", 0, 0xfff, &number))
        return t->why ? false : fail_near(a, t, at, t->expected, &nearest);
    ventus_isa_set(&t->in, f, (int32_t)number);
    return true;
}

/* Takes `, word` if the word is in the list; its index or -1. */
static int
take_word(struct assembler *a, bool comma, const char *const *words,
          unsigned count)
{
    struct mark m = mark_here(a);
    if (!comma || lex_take(a, ',')) {
        struct span s = lex_name(a);
        for (unsigned i = 0; s.n && i < count; i++)
            if (words[i] && span_is(s, words[i]))
                return (int)i;
    }
    mark_return(a, m);
    return -1;
}

/* e32, m1, ta, ma (RVV 1.0, 3.4); what is left out at the end is 0. */
static bool
read_vtype(struct assembler *a, struct attempt *t,
           const struct ventus_isa_field *f)
{
    static const char *const sew[] = { "e8", "e16", "e32", "e64" };
    static const char *const lmul[] = { "m1", "m2",  "m4",  "m8",
                                        NULL, "mf8", "mf4", "mf2" };
    static const char *const tail[] = { "tu", "ta" };
    static const char *const mask[] = { "mu", "ma" };
    int64_t number;
    int n = take_word(a, false, sew, 4);
    if (n < 0) {
        if (!read_known(a, t, "a vector type such as e32, m1, ta, ma", 0,
                        (1 << f->width) - 1, &number))
            return false;
        ventus_isa_set(&t->in, f, (int32_t)number);
        return true;
    }
    unsigned vtype = (unsigned)n << 3;
    n = take_word(a, true, lmul, 8);
    vtype |= n > 0 ? (unsigned)n : 0;
    n = take_word(a, true, tail, 2);
    vtype |= n > 0 ? 0x40 : 0;
    n = take_word(a, true, mask, 2);
    vtype |= n > 0 ? 0x80 : 0;
    ventus_isa_set(&t->in, f, (int32_t)vtype);
    return true;
}

/* A set of i o r w, or 0; -1 if there is none at p. */
static int
read_set(struct assembler *a)
{
    struct mark m = mark_here(a);
    if (a->p[0] == '0' && !lex_is(a->p[1], CLASS_NAME | CLASS_DIGIT)) {
        a->p++;
        return 0;
    }
    struct span s = lex_name(a);
    int set = 0;
    for (size_t i = 0; i < s.n; i++) {
        const char *hit = strchr("wroi", s.at[i]);
        if (!hit || set >> (hit - "wroi") & 1)
            set = 16;
        else
            set |= 1 << (hit - "wroi");
        if (set > 15)
            break;
    }
    if (s.n && set <= 15)
        return set;
    mark_return(a, m);
    return -1;
}

/* fence: [11:8] fm [7:4] pred [3:0] succ, or all of it as a number */
static bool
read_order(struct assembler *a, struct attempt *t,
           const struct ventus_isa_field *f)
{
    int64_t number;
    int pred = read_set(a);
    if (pred < 0) {
        if (!read_known(a, t, "a set of i, o, r, w", 0, 0xfff, &number))
            return false;
        ventus_isa_set(&t->in, f, (int32_t)number);
        return true;
    }
    if (!lex_take(a, ','))
        return attempt_fail(t, a->p, "',' and a second set of i, o, r, w");
    int succ = read_set(a);
    if (succ < 0)
        return attempt_fail(t, a->p, "a set of i, o, r, w");
    ventus_isa_set(&t->in, f, pred << 4 | succ);
    return true;
}

/* barrier: local, global, device: what is ordered, then its scope; or all of it
 * as a number. */
static bool
read_barrier(struct assembler *a, struct attempt *t,
             const struct ventus_isa_field *f)
{
    static const char *const what[] = { "local", "global", "image" };
    static const char *const nothing[] = { "use_cnt" };
    static const char *const scopes[] = { "work_group", "work_item", "device",
                                          "all_svm_devices" };
    int64_t number;
    unsigned words = 0;
    int n = take_word(a, false, what, 3);
    if (n < 0 && take_word(a, false, nothing, 1) < 0) {
        struct mark m = mark_here(a);
        struct span s = lex_name(a);
        struct spelling nearest = { .word =
                                        arena_strndup(a->arena, s.at, s.n) };
        for (unsigned i = 0; s.n && i < 3; i++)
            spelling_offer(&nearest, what[i]);
        mark_return(a, m);
        if (!read_known(a, t, "local, global, image, use_cnt or a number", 0,
                        31, &number))
            return t->why ? false : fail_near(a, t, m.p, t->expected, &nearest);
        ventus_isa_set(&t->in, f, (int32_t)number);
        return true;
    }
    while (n >= 0) {
        if (words >> n & 1)
            return attempt_fail_why(
                t, a->p,
                arena_printf(a->arena, "operand %u: '%s' is there twice",
                             t->operand, what[n]));
        words |= 1u << n;
        n = take_word(a, true, what, 3);
    }
    n = take_word(a, true, scopes, 4);
    ventus_isa_set(&t->in, f,
                   (int32_t)(words | (n > 0 ? (unsigned)n << 3 : 0)));
    return true;
}

/* Numbers separated by blanks at p, at most `most`. */
static unsigned
count_numbers(struct assembler *a, unsigned most)
{
    struct mark m = mark_here(a);
    unsigned n = 0;
    const char *why;
    uint64_t number;
    while (n < most && lex_number(a, &number, &why)) {
        n++;
        lex_blanks(a);
    }
    mark_return(a, m);
    return n;
}

/* The register bits of a prefix: 72, or in a log x3 x2 x1 xd: 0 1 1 0. */
static bool
read_ext(struct assembler *a, struct attempt *t,
         const struct ventus_isa_field *f)
{
    int64_t number;
    unsigned parts = f->kind == VENTUS_ISA_KIND_EXT ? 4 : 3, value = 0;
    if (count_numbers(a, parts) != parts) {
        if (!read_known(a, t, "the 12 bits of a prefix", 0, 0xfff, &number))
            return false;
        ventus_isa_set(&t->in, f, (int32_t)number);
        return true;
    }
    for (unsigned i = 0; i < parts; i++) {
        uint64_t part = 0;
        const char *why, *at = a->p;
        lex_number(a, &part, &why);
        unsigned width = parts == 3 && i == 0 ? 6 : 3;
        if (part >> width)
            return attempt_fail(t, at, "0 to 7");
        value = value << width | (unsigned)part;
        lex_blanks(a);
    }
    ventus_isa_set(&t->in, f, (int32_t)value);
    return true;
}

static void
read_rounding(struct assembler *a, struct attempt *t,
              const struct ventus_isa_field *f)
{
    static const char *const modes[] = { "rne", "rtz", "rdn", "rup",
                                         "rmm", "rm5", "rm6", "dyn" };
    int mode = take_word(a, true, modes, 8);
    ventus_isa_set(&t->in, f, mode < 0 ? 7 : mode);
}

/* ", name=value"; fields called unused_x are written unused= */
static bool
read_optional(struct assembler *a, struct attempt *t,
              const struct ventus_isa_field *f)
{
    struct mark m = mark_here(a);
    int64_t number;
    if (!lex_take(a, ','))
        return true;
    struct span s = lex_name(a);
    size_t n = strcspn(f->name, "_");
    lex_blanks(a);
    if (s.n != n || memcmp(s.at, f->name, n) != 0 || *a->p != '=') {
        mark_return(a, m);
        return true;
    }
    a->p++;
    lex_blanks(a);
    if (!read_known(a, t, "a number", 0, (1 << f->width) - 1, &number))
        return false;
    ventus_isa_set(&t->in, f, (int32_t)number);
    return true;
}

static void
read_mask(struct assembler *a, struct attempt *t,
          const struct ventus_isa_field *f)
{
    static const char *const masked[] = { "v0.t" };
    if (ventus_isa_info[t->in.op].flags & VENTUS_ISA_F_ACCUM)
        register_read_accumulator(a, t);
    ventus_isa_set(&t->in, f, take_word(a, true, masked, 1) < 0);
}

bool
operand_read(struct assembler *a, struct attempt *t, unsigned field, char next)
{
    const struct ventus_isa_field *f = &ventus_isa_fields[field];
    switch ((enum ventus_isa_kind)f->kind) {
    case VENTUS_ISA_KIND_X:
    case VENTUS_ISA_KIND_V:
    case VENTUS_ISA_KIND_A:
        return register_read(a, t, f);
    case VENTUS_ISA_KIND_S:
    case VENTUS_ISA_KIND_U:
    case VENTUS_ISA_KIND_B:
    case VENTUS_ISA_KIND_J:
    case VENTUS_ISA_KIND_HI:
        return read_immediate(a, t, field, next);
    case VENTUS_ISA_KIND_CSR:
        return read_csr(a, t, f);
    case VENTUS_ISA_KIND_VTYPE:
        return read_vtype(a, t, f);
    case VENTUS_ISA_KIND_IORW:
        return read_order(a, t, f);
    case VENTUS_ISA_KIND_BARRIER:
        return read_barrier(a, t, f);
    case VENTUS_ISA_KIND_EXT:
    case VENTUS_ISA_KIND_EXTI:
        return read_ext(a, t, f);
    case VENTUS_ISA_KIND_OPT:
        return read_optional(a, t, f);
    case VENTUS_ISA_KIND_RM:
        read_rounding(a, t, f);
        break;
    case VENTUS_ISA_KIND_VM:
        read_mask(a, t, f);
        break;
    case VENTUS_ISA_KIND_AQRL: /* part of the mnemonic */
        break;
    }
    return true;
}
