/* SPDX-License-Identifier: Apache-2.0 */
/* Disassembly as JSON. */
#include "asm/dis/json.h"

#include <inttypes.h>
#include <string.h>

#include "base/bisect.h"
#include "base/bytes.h"

/* The symbol that an address is in: the last one at or before it. */
static void
put_symbol(struct json *j, const struct dis_code *code, uint64_t address)
{
    size_t i;
    BISECT(i, code->symbols, code->symbol[i].address <= address);
    if (!i)
        return;
    const struct dis_symbol *found = &code->symbol[i - 1];
    json_string(j, "symbol", found->name);
    json_number(j, "offset", address - found->address);
}

static void
put_words(struct json *j, const uint8_t *bytes, unsigned n)
{
    char text[2 * 8 + 1];
    json_array(j, "words");
    for (unsigned i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%08" PRIx32,
                 bytes_load_u32(bytes + 4 * i));
        json_string(j, NULL, text);
    }
    json_end(j);
    for (unsigned i = 0; i < 4 * n; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    json_string(j, "bytes", text);
}

/* "lw      x5, 4(x10)" as "lw" and ["x5", "4(x10)"]; commas in brackets are part
 * of an operand. */
static void
put_text(struct json *j, const char *text)
{
    char part[VENTUS_ISA_TEXT_MAX];
    size_t n = strcspn(text, " ");
    snprintf(part, sizeof part, "%.*s", (int)n, text);
    json_string(j, "text", text);
    json_string(j, "mnemonic", part);
    json_array(j, "operands");
    text += n + strspn(text + n, " ");
    while (*text) {
        unsigned depth = 0;
        for (n = 0; text[n] && (depth || text[n] != ','); n++) {
            depth += text[n] == '[' || text[n] == '(';
            depth -= depth && (text[n] == ']' || text[n] == ')');
        }
        snprintf(part, sizeof part, "%.*s", (int)n, text);
        json_string(j, NULL, part);
        text += n;
        text += strspn(text, ", ");
    }
    json_end(j);
}

/* The address that a branch goes to, if it is one with a fixed target. */
static void
put_target(struct json *j, const struct ventus_isa_insn *in, uint64_t pc)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    for (unsigned i = 0; i < f->fields; i++) {
        unsigned kind = ventus_isa_fields[f->field[i]].kind;
        if (in->op != VENTUS_ISA_JOIN &&
            (kind == VENTUS_ISA_KIND_B || kind == VENTUS_ISA_KIND_J))
            json_number(j, "target", pc + (uint64_t)(int64_t)in->imm);
    }
}

static void
put_notes(struct json *j, const struct dis_code *code, uint64_t from,
          uint64_t to)
{
    bool any = false;
    for (size_t i = 0; i < code->notes; i++) {
        if (code->note[i].address < from || code->note[i].address >= to)
            continue;
        if (!any)
            json_array(j, "relocations");
        any = true;
        json_string(j, NULL, code->note[i].text);
    }
    if (any)
        json_end(j);
}

/* Writes an instruction, its prefix included; returns the words that it takes. */
static unsigned
put_instruction(const struct dis_json *d, const struct dis_code *code,
                size_t at)
{
    struct json *j = d->json;
    const uint8_t *bytes = code->bytes + at;
    bool more = at + 8 <= code->size;
    uint32_t words[2] = { bytes_load_u32(bytes),
                          more ? bytes_load_u32(bytes + 4) : 0 };
    struct ventus_isa_insn in;
    uint64_t address = code->address + at;
    unsigned n =
        ventus_isa_decode(d->options->version, words, more ? 2 : 1, &in);
    unsigned taken = n ? n : 1;
    char text[VENTUS_ISA_TEXT_MAX];
    json_new_line(j);
    json_object(j, NULL);
    json_number(j, "address", address);
    put_symbol(j, code, address);
    put_words(j, bytes, taken);
    uint64_t pc = address + 4 * (taken - 1);
    struct ventus_isa_print p = { .style = d->options->style,
                                  .abi_names = d->options->abi_names,
                                  .no_alias = d->options->no_alias,
                                  .has_pc = true,
                                  .pc = pc };
    if (n)
        ventus_isa_print(&in, &p, text, sizeof text);
    else
        snprintf(text, sizeof text, ".word   0x%08" PRIx32, words[0]);
    put_text(j, text);
    if (n)
        put_target(j, &in, pc);
    struct dis_position position = { NULL, 0, 0 };
    if (d->position)
        position = d->position(d->ctx, address);
    if (position.file) {
        json_object(j, "source");
        json_string(j, "file", position.file);
        json_number(j, "line", position.line);
        json_number(j, "column", position.column);
        json_end(j);
    }
    put_notes(j, code, address, address + 4 * taken);
    json_end(j);
    return taken;
}

void
dis_json_section(const struct dis_json *d, const char *name,
                 const struct dis_code *code)
{
    struct json *j = d->json;
    json_object(j, NULL);
    json_string(j, "name", name);
    json_number(j, "address", code->address);
    json_number(j, "size", code->size);
    json_array(j, "instructions");
    for (size_t at = 0; at + 4 <= code->size;)
        at += 4 * put_instruction(d, code, at);
    json_end(j);
    json_end(j);
}
