/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses instructions by the syntax strings of the table.
 *
 * A row matches if mnemonic and syntax match the text from left to right: a
 * field reads its operand, every other byte must be equal; a blank in either
 * matches any number of blanks.  Operands that may be left out when they are 0
 * come at the end, in any order.  The error is that of the row that matches
 * furthest.
 */
#include "isa/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct in {
    const struct words_isa *isa;
    const char *at;
    void *insn;
    const char *furthest; /* furthest position at which a row failed */
    const char *wanted;
    const struct words_row *row;
    bool wrong;
};

static void
skip_blanks(struct in *in)
{
    while (*in->at == ' ' || *in->at == '\t')
        in->at++;
}

static bool
parse_fail(struct in *in, const char *wanted)
{
    if (!in->furthest || in->at > in->furthest) {
        in->furthest = in->at;
        in->wanted = wanted;
    }
    return false;
}

static bool
is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Takes the word `text`, if it is here and not followed by more letters. */
static bool
take_word(struct in *in, const char *text)
{
    size_t n = strlen(text);
    if (strncmp(in->at, text, n) != 0 || (n && is_name(in->at[n])))
        return false;
    in->at += n;
    return true;
}

static bool
take_number(struct in *in, long long *value)
{
    char *end;
    if (!isdigit((unsigned char)*in->at) && *in->at != '-' && *in->at != '+')
        return false;
    *value = strtoll(in->at, &end, 0);
    if (end == in->at || is_name(*end))
        return false;
    in->at = end;
    return true;
}

/* ---- operands ------------------------------------------------------------ */

static bool
take_numbered(struct in *in, const char *prefix, unsigned count, int32_t *value)
{
    size_t n = strlen(prefix);
    char *end;
    if (strncmp(in->at, prefix, n) != 0 || !isdigit((unsigned char)in->at[n]))
        return false;
    unsigned long x = strtoul(in->at + n, &end, 10);
    if (x >= count || is_name(*end))
        return false;
    in->at = end;
    *value = (int32_t)x;
    return true;
}

static bool
take_register(struct in *in, const struct words_field *f, int32_t *value)
{
    static const char *const prefix[] = { "x", "f", "v", "tr" };
    if (take_numbered(in, prefix[f->kind], f->kind == WORDS_T ? 256 : 32,
                      value))
        return true;
    for (int32_t r = 0; r < 32 && f->kind <= WORDS_F; r++)
        if (take_word(in, words_register(f->kind, (unsigned)r))) {
            *value = r;
            return true;
        }
    if (f->kind == WORDS_X && take_word(in, "fp"))
        return *value = 8, true;
    return parse_fail(in, f->kind == WORDS_T   ? "a tile register"
                          : f->kind == WORDS_V ? "a vector register"
                          : f->kind == WORDS_F ? "a float register"
                                               : "an integer register");
}

/* Takes the longest name of the list that is here. */
static bool
take_listed(struct in *in, const struct words_field *f, int32_t *value)
{
    const struct words_list *list = &in->isa->lists[f->list - 1];
    size_t best = 0;
    bool found = false;
    for (unsigned i = 0; i < list->count; i++) {
        const char *name = list->names[i].name;
        size_t n = strlen(name);
        if (strncmp(in->at, name, n) != 0 || (n && is_name(in->at[n])) ||
            (found && n <= best))
            continue;
        best = n;
        *value = list->names[i].value;
        found = true;
    }
    in->at += best;
    return found || parse_fail(in, list->name);
}

static bool
take_csr(struct in *in, int32_t *value)
{
    for (unsigned i = 0; i < in->isa->csr_count; i++)
        if (take_word(in, in->isa->csrs[i].name)) {
            *value = in->isa->csrs[i].number;
            return true;
        }
    long long n;
    if (!take_number(in, &n))
        return parse_fail(in, "a control register");
    *value = (int32_t)n;
    return true;
}

static bool
take_operand(struct in *in, const struct words_field *f)
{
    int32_t value = 0;
    long long n;
    bool ok = true;
    switch ((enum words_kind)f->kind) {
    case WORDS_X:
    case WORDS_F:
    case WORDS_V:
    case WORDS_T:
        ok = take_register(in, f, &value);
        break;
    case WORDS_LIST:
        ok = take_listed(in, f, &value);
        break;
    case WORDS_CSR:
        ok = take_csr(in, &value);
        break;
    case WORDS_MINUS:
        if (*in->at == '-') {
            in->at++;
            value = 1;
        }
        break;
    default:
        ok = take_number(in, &n) || parse_fail(in, "a number");
        if (ok && (n < INT32_MIN || n > UINT32_MAX))
            ok = parse_fail(in, "a smaller number");
        value = ok ? (int32_t)n : 0;
    }
    if (ok)
        words_set(in->insn, f, value);
    return ok;
}

static bool
is_optional(const struct words_field *f)
{
    return f->kind == WORDS_FLAG || f->kind == WORDS_LOG2 ||
           f->kind == WORDS_OPT || f->kind == WORDS_VM || f->kind == WORDS_RM ||
           f->kind == WORDS_AQRL;
}

/* Takes the operand after a comma, if it is this field's. */
static bool
take_optional(struct in *in, const struct words_field *f)
{
    const char *start = in->at;
    long long n;
    if (f->kind == WORDS_FLAG && take_word(in, f->label)) {
        words_set(in->insn, f, 1);
        return true;
    }
    if (f->kind == WORDS_VM && take_word(in, "v0.t")) {
        words_set(in->insn, f, 0);
        return true;
    }
    if (f->kind == WORDS_LOG2 && strncmp(in->at, f->label, 1) == 0 &&
        in->at[1] == '=') {
        in->at += 2;
        for (int32_t log2 = 0; log2 < 4; log2++)
            if (start[2] == '0' + (1 << log2) && !is_name(start[3])) {
                in->at++;
                words_set(in->insn, f, log2);
                return true;
            }
        return parse_fail(in, "1, 2, 4 or 8");
    }
    if (f->kind == WORDS_OPT && take_number(in, &n) && n >= 0 && n < 32) {
        words_set(in->insn, f, (int32_t)n);
        return true;
    }
    in->at = start;
    return false;
}

/* ---- rows ---------------------------------------------------------------- */

static const struct words_field *
field_at(const struct in *in, unsigned char byte)
{
    return byte >= 128 ? &in->isa->fields[byte - 128] : NULL;
}

static bool
match_mnemonic(struct in *in, const char *pattern)
{
    for (const char *c = pattern; *c; c++) {
        const struct words_field *f = field_at(in, (unsigned char)*c);
        if (f && !take_operand(in, f))
            return false;
        if (!f && *in->at != *c)
            return false;
        if (!f)
            in->at++;
    }
    return *in->at == ' ' || *in->at == '\t' || *in->at == 0;
}

static bool
match_literal(struct in *in, char c)
{
    skip_blanks(in);
    if (c == ' ')
        return true;
    if (*in->at != c) {
        static char wanted[] = "','";
        wanted[1] = c;
        return parse_fail(in, wanted);
    }
    in->at++;
    skip_blanks(in);
    return true;
}

/* Matches optional operands in any order, ", m, n=4"; each only once. */
static bool
match_rest(struct in *in, const struct words_row *row)
{
    uint32_t used = 0;
    skip_blanks(in);
    while (*in->at == ',') {
        in->at++;
        skip_blanks(in);
        unsigned i = 0;
        for (; i < row->fields; i++) {
            const struct words_field *f = &in->isa->fields[row->field[i]];
            if (!(used >> i & 1) && is_optional(f) && take_optional(in, f))
                break;
        }
        if (i == row->fields)
            return parse_fail(in, "an option of this instruction");
        used |= 1u << i;
        skip_blanks(in);
    }
    return *in->at == 0 || parse_fail(in, "the end of the line");
}

static bool
match_row(struct in *in, const struct words_row *row, const char *text)
{
    in->at = text;
    memset(in->insn, 0, in->isa->insn_size);
    for (unsigned i = 0; i < row->fields; i++) {
        const struct words_field *f = &in->isa->fields[row->field[i]];
        if (f->kind == WORDS_VM || f->kind == WORDS_RM)
            words_set(in->insn, f, f->kind == WORDS_VM ? 1 : 7);
    }
    if (!match_mnemonic(in, row->mnemonic))
        return false;
    in->row = row;
    skip_blanks(in);
    for (const char *c = row->syntax; *c; c++) {
        const struct words_field *f = field_at(in, (unsigned char)*c);
        if (f && is_optional(f))
            continue;
        if (f ? !take_operand(in, f) : !match_literal(in, *c))
            return false;
    }
    return match_rest(in, row);
}

static void
set_op(const struct words_isa *isa, unsigned op, void *insn)
{
    struct words_insn *head = insn;
    head->op = (uint16_t)op;
    head->size = isa->rows[op].bytes;
}

bool
words_parse(const struct words_isa *isa, const char *text, void *insn,
            char *error, size_t size)
{
    struct in in = { .isa = isa, .insn = insn };
    char wrong[96];
    const char *bad = NULL;
    for (unsigned op = 1; op < isa->row_count; op++) {
        if (!match_row(&in, &isa->rows[op], text))
            continue;
        set_op(isa, op, insn);
        bad = words_check(isa, insn, wrong, sizeof wrong);
        if (!bad)
            return true;
    }
    if (bad)
        snprintf(error, size, "%s", bad);
    else if (in.row)
        snprintf(error, size, "expected %s, found '%s'", in.wanted,
                 in.furthest);
    else
        snprintf(error, size, "no such instruction");
    return false;
}
