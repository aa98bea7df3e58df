/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes and encodes instructions by the tables of words_gen.py. */
#include "isa/words.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"

int32_t
words_get(const void *insn, const struct words_field *field)
{
    const char *at = (const char *)insn + field->where;
    uint16_t half;
    int32_t whole;
    switch (field->size) {
    case 1:
        return *(const uint8_t *)at;
    case 2:
        memcpy(&half, at, sizeof half);
        return half;
    }
    memcpy(&whole, at, sizeof whole);
    return whole;
}

void
words_set(void *insn, const struct words_field *field, int32_t value)
{
    char *at = (char *)insn + field->where;
    uint8_t byte = (uint8_t)value;
    uint16_t half = (uint16_t)value;
    if (field->size == 1)
        memcpy(at, &byte, sizeof byte);
    else if (field->size == 2)
        memcpy(at, &half, sizeof half);
    else
        memcpy(at, &value, sizeof value);
}

/* The index in memory of the word with that role. */
static unsigned
word_of(const struct words_row *row, unsigned role)
{
    unsigned i = 0;
    while (row->role[i] != role)
        i++;
    return i;
}

static uint32_t
gather(const struct words_row *row, const struct words_field *f,
       const uint32_t *words)
{
    uint32_t raw = 0;
    for (unsigned i = 0; i < f->pieces; i++) {
        uint32_t w = words[word_of(row, f->piece[i].role)];
        unsigned hi = f->piece[i].hi, lo = f->piece[i].lo;
        raw = raw << (hi - lo + 1) | bits(w, hi, lo);
    }
    return raw;
}

static int32_t
to_value(const struct words_field *f, uint32_t raw)
{
    if (f->is_signed)
        return (int32_t)((uint32_t)sext(raw, f->width) << f->scale);
    return (int32_t)((raw << f->scale) + f->add);
}

static bool
allows(const struct words_isa *isa, const struct words_field *f, uint32_t raw)
{
    if ((int32_t)raw == f->excluded[0] || (int32_t)raw == f->excluded[1])
        return false;
    if (!f->list)
        return true;
    return raw < 64 && isa->lists[f->list - 1].legal >> raw & 1;
}

/* Whether a run of registers ends at the last register or before: tr250, n=8 does not. */
static bool
run_fits(const struct words_field *f, const void *insn)
{
    if (!f->run)
        return true;
    unsigned count = *((const uint8_t *)insn + f->run);
    return count < 8 && words_get(insn, f) + (1 << count) <= 256;
}

static bool
copies_agree(const struct words_row *row, const struct words_field *f,
             const uint32_t *words, uint32_t raw)
{
    for (unsigned i = 0; i < f->copies; i++)
        if (bits(words[word_of(row, f->copy[i].role)], f->copy[i].hi,
                 f->copy[i].lo) != raw)
            return false;
    return true;
}

static bool
decode_row(const struct words_isa *isa, unsigned op, const uint32_t *words,
           size_t count, void *insn)
{
    const struct words_row *row = &isa->rows[op];
    if (row->words > count)
        return false;
    for (unsigned i = 0; i < row->words; i++)
        if ((words[i] & row->mask[i]) != row->match[i])
            return false;
    memset(insn, 0, isa->insn_size);
    for (unsigned i = 0; i < row->fields; i++) {
        const struct words_field *f = &isa->fields[row->field[i]];
        uint32_t raw = gather(row, f, words);
        if (!allows(isa, f, raw) || !copies_agree(row, f, words, raw))
            return false;
        words_set(insn, f, to_value(f, raw));
    }
    for (unsigned i = 0; i < row->fields; i++)
        if (!run_fits(&isa->fields[row->field[i]], insn))
            return false;
    struct words_insn *head = insn;
    head->op = (uint16_t)op;
    head->size = row->bytes;
    return true;
}

unsigned
words_decode(const struct words_isa *isa, const uint32_t *words, size_t count,
             void *insn)
{
    if (count) {
        const uint16_t *op = &isa->chain[lookup_leaf(isa->lookup, words[0])];
        for (; *op; op++)
            if (decode_row(isa, *op, words, count, insn))
                return isa->rows[*op].bytes;
    }
    memset(insn, 0, isa->insn_size);
    return 0;
}

/* The bits of a value, if the field can hold it. */
static bool
to_raw(const struct words_isa *isa, const struct words_field *f, int32_t value,
       uint32_t *raw)
{
    uint32_t mask = f->width < 32 ? (1u << f->width) - 1 : ~0u;
    value -= f->add;
    if (value & ((1 << f->scale) - 1))
        return false;
    *raw = (uint32_t)(value >> f->scale) & mask;
    return to_value(f, *raw) - f->add == value && allows(isa, f, *raw);
}

static void
scatter(const struct words_row *row, const struct words_field *f, uint32_t raw,
        uint32_t *words)
{
    for (unsigned i = 0; i < f->copies; i++)
        words[word_of(row, f->copy[i].role)] |= raw << f->copy[i].lo;
    for (unsigned i = f->pieces; i-- > 0;) {
        unsigned hi = f->piece[i].hi, lo = f->piece[i].lo;
        words[word_of(row, f->piece[i].role)] |= bits(raw, hi - lo, 0) << lo;
        raw = hi - lo == 31 ? 0 : raw >> (hi - lo + 1);
    }
}

const char *
words_check(const struct words_isa *isa, const void *insn, char *text,
            size_t size)
{
    const struct words_insn *head = insn;
    if (!head->op || head->op >= isa->row_count)
        return "no instruction";
    const struct words_row *row = &isa->rows[head->op];
    for (unsigned i = 0; i < row->fields; i++) {
        const struct words_field *f = &isa->fields[row->field[i]];
        uint32_t raw;
        if (!to_raw(isa, f, words_get(insn, f), &raw)) {
            snprintf(text, size, "%s %d is not possible", f->name,
                     words_get(insn, f));
            return text;
        }
        if (!run_fits(f, insn)) {
            snprintf(text, size, "%s: registers end at tr255", f->name);
            return text;
        }
    }
    return NULL;
}

unsigned
words_encode(const struct words_isa *isa, const void *insn,
             uint32_t words[WORDS_MAX])
{
    char text[80];
    if (words_check(isa, insn, text, sizeof text))
        return 0;
    const struct words_row *row =
        &isa->rows[((const struct words_insn *)insn)->op];
    for (unsigned i = 0; i < row->words; i++)
        words[i] = row->match[i];
    for (unsigned i = 0; i < row->fields; i++) {
        const struct words_field *f = &isa->fields[row->field[i]];
        uint32_t raw;
        if (!to_raw(isa, f, words_get(insn, f), &raw))
            return 0;
        scatter(row, f, raw, words);
    }
    return row->words;
}

const char *
words_name(const struct words_list *list, int32_t value)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->names[i].value == value)
            return list->names[i].name;
    return NULL;
}
