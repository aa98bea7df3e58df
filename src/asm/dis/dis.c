/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code to assembler source. */
#include "asm/dis/dis.h"
#include "base/bytes.h"
#include "base/debug_assert.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/bisect.h"
#include "base/defer.h"

struct dis {
    struct buf *out;
    const struct dis_options *options;
    const struct dis_code *code;
    uint8_t *target; /* per word: bit 0 of a byte: some branch goes there */
    size_t symbol, note;
    const char *position; /* the source line shown last */
    int digits;           /* of an address */
};

/* The branch offset of an instruction, or false. */
static bool
branch_offset(const struct ventus_isa_insn *in, int32_t *offset)
{
    assert(in->op && in->op < VENTUS_ISA_OP_COUNT);
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    for (unsigned i = 0; i < f->fields; i++) {
        unsigned kind = ventus_isa_fields[f->field[i]].kind;
        if (kind == VENTUS_ISA_KIND_B || kind == VENTUS_ISA_KIND_J) {
            *offset = in->imm;
            return true;
        }
    }
    return false;
}

/* Index of the word at `address`, or SIZE_MAX if it is not a whole one. */
static size_t
word_at(const struct dis_code *code, uint64_t address)
{
    uint64_t offset = address - code->address;
    if (address < code->address || offset % 4 || offset + 4 > code->size)
        return SIZE_MAX;
    return (size_t)(offset / 4);
}

static void
mark_targets(struct dis *d)
{
    const struct dis_code *code = d->code;
    for (size_t i = 0; i < code->size / 4; i++) {
        struct ventus_isa_insn in;
        int32_t offset;
        uint32_t word = bytes_load_u32(code->bytes + 4 * i);
        if (!ventus_isa_decode_word(d->options->version, word, &in) ||
            !branch_offset(&in, &offset))
            continue;
        uint64_t pc = code->address + 4 * i;
        size_t at = word_at(code, pc + (uint64_t)(int64_t)offset);
        if (at != SIZE_MAX && in.op != VENTUS_ISA_JOIN)
            d->target[at] = 1;
    }
}

/* First symbol at or after `address`. */
static size_t
find_symbol(const struct dis_code *code, uint64_t address)
{
    size_t i;
    BISECT(i, code->symbols, code->symbol[i].address < address);
    debug_assert(i == 0 || code->symbol[i - 1].address < address);
    return i;
}

/* ventus_isa_print's question: how is a branch target called? */
static bool
name_target(void *ctx, uint64_t address, char *out, size_t size)
{
    const struct dis *d = ctx;
    size_t i = find_symbol(d->code, address);
    int n;
    if (i < d->code->symbols && d->code->symbol[i].address == address &&
        word_at(d->code, address) != SIZE_MAX)
        n = snprintf(out, size, "%s", d->code->symbol[i].name);
    else if (word_at(d->code, address) != SIZE_MAX)
        n = snprintf(out, size, ".L%" PRIx64, address);
    else
        return false;
    return n > 0 && (size_t)n < size;
}

static void
put_labels(struct dis *d, uint64_t address)
{
    const struct dis_code *code = d->code;
    bool named = false;
    while (d->symbol < code->symbols &&
           code->symbol[d->symbol].address < address)
        d->symbol++; /* inside a word: cannot be written */
    while (d->symbol < code->symbols &&
           code->symbol[d->symbol].address == address) {
        buf_printf(d->out, "%s:\n", code->symbol[d->symbol++].name);
        named = true;
    }
    size_t at = word_at(code, address);
    if (!named && at != SIZE_MAX && d->target[at])
        buf_printf(d->out, ".L%" PRIx64 ":\n", address);
}

static void
put_source(struct dis *d, uint64_t address)
{
    if (!d->code->source)
        return;
    const char *position = d->code->source(d->code->ctx, address);
    if (position && (!d->position || strcmp(position, d->position) != 0))
        buf_printf(d->out, "# %s\n", position);
    if (position)
        d->position = position;
    if (d->code->loc)
        d->code->loc(d->code->ctx, d->out, address);
}

static void
put_hex(struct buf *out, uint64_t value, int digits)
{
    assert(digits > 0 && digits <= 16);
    uint8_t *at = buf_extend(out, (size_t)digits);
    while (digits-- > 0) {
        at[digits] = (uint8_t) "0123456789abcdef"[value & 15];
        value >>= 4;
    }
}

static void
put_comment(struct dis *d, uint64_t address, uint32_t word, int word_digits)
{
    if (d->options->bare) {
        buf_put(d->out, "    ", 4);
        return;
    }
    buf_put(d->out, "/* ", 3);
    put_hex(d->out, address, d->digits);
    buf_put(d->out, " ", 1);
    put_hex(d->out, word, word_digits);
    buf_put(d->out, " */  ", 5);
}

static void
put_notes(struct dis *d, uint64_t address)
{
    const struct dis_code *code = d->code;
    while (d->note < code->notes && code->note[d->note].address < address + 4) {
        const struct dis_note *note = &code->note[d->note];
        if (note->address >= address && !note->operand)
            buf_printf(d->out, "  # %s", note->text);
        debug_assert(!d->note ||
                     code->note[d->note - 1].address <= note->address);
        d->note++;
    }
    buf_put(d->out, "\n", 1);
}

/* The text of the note that replaces the immediate at `address`, or NULL. */
static const char *
operand_at(const struct dis *d, uint64_t address)
{
    const struct dis_code *code = d->code;
    for (size_t i = d->note; i < code->notes; i++) {
        if (code->note[i].address > address)
            break;
        if (code->note[i].address == address && code->note[i].operand)
            return code->note[i].text;
    }
    return NULL;
}

/* `text` with an operand for its last immediate: "rd, 0" or "rd, 0(rs)". */
static void
put_operand(struct buf *out, const char *text, const char *operand)
{
    const char *from = strrchr(text, ',');
    if (!from)
        from = text;
    const char *to = strchr(from, '(');
    buf_put(out, text, (size_t)(from - text));
    buf_printf(out, ", %s%s", operand, to ? to : "");
}

/*
 * Writes one word as text.  An instruction that ventus_isa_print cannot say so that it
 * can be read back is written as .word.
 */
static void
put_instruction(struct dis *d, uint64_t pc, const struct ventus_isa_insn *in,
                uint32_t word, bool prefixed)
{
    const char *operand = operand_at(d, pc);
    char text[VENTUS_ISA_TEXT_MAX];
    int32_t offset;
    struct ventus_isa_print p = {
        .style = d->options->style,
        .abi_names = d->options->abi_names,
        .no_alias = d->options->no_alias || operand,
        .scalar_amo = d->options->scalar_amo,
        .pc = pc,
        .symbol = name_target,
        .ctx = d,
    };
    /* Targets outside the section have no label: "pc + 8". */
    if (branch_offset(in, &offset))
        p.has_pc = in->op != VENTUS_ISA_JOIN &&
                   word_at(d->code, pc + (uint64_t)(int64_t)offset) != SIZE_MAX;
    size_t n = ventus_isa_print(in, &p, text, sizeof text);
    /* `li` may be two instructions: a prefix before it would be alone. */
    if (prefixed && strncmp(text, "li ", 3) == 0) {
        p.no_alias = true;
        n = ventus_isa_print(in, &p, text, sizeof text);
    }
    if (n + 1 >= sizeof text)
        buf_printf(d->out, ".word   0x%08" PRIx32, word);
    else if (operand)
        put_operand(d->out, text, operand);
    else
        buf_put(d->out, text, n);
}

static void
put_tail(struct dis *d, uint64_t address, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put_comment(d, address + i, bytes[i], 2);
        buf_printf(d->out, ".byte   0x%02x\n", bytes[i]);
    }
}

static int
address_digits(const struct dis_code *code)
{
    return (code->address + code->size) >> 32 ? 16 : 8;
}

static void
put_no_instruction(struct dis *d, const uint32_t *words, size_t count)
{
    const char *why = ventus_isa_refused(d->options->version, words, count);
    buf_printf(d->out, ".word   0x%08" PRIx32, words[0]);
    if (why)
        buf_printf(d->out, "  # a prefix, but %s", why);
}

void
dis_section(struct buf *out, const struct dis_options *options,
            const struct dis_code *code)
{
    struct dis d = { .out = out, .options = options, .code = code };
    d.digits = address_digits(code);
    size_t words = code->size / 4;
    struct arena scratch = { 0 };
    struct oom_cleanup free_scratch;
    oom_defer_arena(&free_scratch, &scratch);
    d.target = arena_new(&scratch, uint8_t, words + 1);
    mark_targets(&d);
    for (size_t i = 0; i < words;) {
        uint32_t group[2] = { bytes_load_u32(code->bytes + 4 * i), 0 };
        bool more = i + 1 < words;
        if (more)
            group[1] = bytes_load_u32(code->bytes + 4 * (i + 1));
        struct ventus_isa_insn in;
        unsigned n =
            ventus_isa_decode(options->version, group, more ? 2 : 1, &in);
        for (unsigned k = 0; k < (n ? n : 1); k++) {
            uint64_t pc = code->address + 4 * (i + k);
            struct ventus_isa_insn prefix = ventus_isa_prefix_of(&in);
            put_labels(&d, pc);
            put_source(&d, pc);
            put_comment(&d, pc, group[k], 8);
            if (n)
                put_instruction(&d, pc, k + 1 < n ? &prefix : &in, group[k],
                                k > 0);
            else
                put_no_instruction(&d, group, more ? 2 : 1);
            put_notes(&d, pc);
        }
        i += n ? n : 1;
    }
    put_tail(&d, code->address + 4 * words, code->bytes + 4 * words,
             code->size % 4);
    put_labels(&d, code->address + code->size);
    oom_release(&free_scratch);
}

/* Bytes until the next symbol or the end. */
static size_t
run_length(const struct dis *d, size_t from)
{
    const struct dis_code *code = d->code;
    size_t i = find_symbol(code, code->address + from + 1);
    assert(from < code->size);
    uint64_t end = i < code->symbols ? code->symbol[i].address - code->address
                                     : code->size;
    return (size_t)(end < code->size ? end : code->size) - from;
}

void
dis_data(struct buf *out, const struct dis_options *options,
         const struct dis_code *code)
{
    struct dis d = { .out = out, .options = options, .code = code };
    d.digits = address_digits(code);
    struct arena scratch = { 0 };
    struct oom_cleanup free_scratch;
    oom_defer_arena(&free_scratch, &scratch);
    d.target = arena_new(&scratch, uint8_t, code->size / 4 + 1);
    for (size_t i = 0; i < code->size;) {
        const uint8_t *p = code->bytes + i;
        size_t run = run_length(&d, i), zeros = 0;
        put_labels(&d, code->address + i);
        const char *operand = operand_at(&d, code->address + i);
        while (!operand && zeros < run && p[zeros] == 0 &&
               !operand_at(&d, code->address + i + zeros))
            zeros++;
        if (zeros >= 16) {
            zeros = zeros == run ? zeros : zeros / 4 * 4;
            put_comment(&d, code->address + i, 0, 8);
            buf_printf(out, ".zero   %zu\n", zeros);
            i += zeros;
        } else if (run >= 4) {
            put_comment(&d, code->address + i, bytes_load_u32(p), 8);
            if (operand)
                buf_printf(out, ".word   %s", operand);
            else
                buf_printf(out, ".word   0x%08" PRIx32, bytes_load_u32(p));
            put_notes(&d, code->address + i);
            i += 4;
        } else {
            put_tail(&d, code->address + i, p, run);
            i += run;
        }
    }
    put_labels(&d, code->address + code->size);
    oom_release(&free_scratch);
}
