/* SPDX-License-Identifier: Apache-2.0 */
#include "abi/spirv.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arith.h"
#include "base/bytes.h"

static const uint32_t magic = 0x07230203, swapped_magic = 0x03022307;

enum { AT_VERSION = 1, HEAD = 5 };

enum opcode {
    OP_EXT_INST_IMPORT = 11,
    OP_MEMORY_MODEL = 14,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_SPEC_CONSTANT_TRUE = 48,
    OP_SPEC_CONSTANT_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_DECORATE = 71
};

enum { PHYSICAL_32 = 1, PHYSICAL_64 = 2, MODEL_OPENCL = 2, SPEC_ID = 1 };

static uint32_t
swap(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

static uint32_t
word_at(const struct spirv *m, size_t i)
{
    assert(i < m->n && "instructions end inside of the module");
    uint32_t x = bytes_load_u32(m->bytes + 4 * i);
    return m->swapped ? swap(x) : x;
}

bool
spirv_is(const void *bytes, size_t size)
{
    uint32_t first = size >= 4 ? bytes_load_u32(bytes) : 0;
    return first == magic || first == swapped_magic;
}

/* ---- instructions ---- */

struct instruction {
    uint32_t op;
    size_t at, n; /* the first word, and how many there are */
};

/* The instruction after *i, or the first if that is all zero; false: there is none. */
static bool
next_instruction(const struct spirv *m, struct instruction *i)
{
    size_t at = i->n ? i->at + i->n : HEAD;
    if (at >= m->n)
        return false;
    uint32_t first = word_at(m, at);
    *i = (struct instruction){ first & 0xffff, at, first >> 16 };
    return true;
}

static uint32_t
operand(const struct spirv *m, const struct instruction *i, size_t number)
{
    return number + 1 < i->n ? word_at(m, i->at + 1 + number) : 0;
}

/* Whether the instruction's words are there. */
static bool
is_whole(struct spirv *m, const struct instruction *i)
{
    if (i->n && i->n <= m->n - i->at)
        return true;
    snprintf(m->why, sizeof m->why,
             "the instruction at word %zu (opcode %u) has %zu words: expected "
             "1 to %zu, which is where the module ends",
             i->at, (unsigned)i->op, i->n, m->n - i->at);
    return false;
}

/* ---- what it declares ---- */

struct capability {
    const char *name;
    uint32_t number;
    bool taken;
};

static const struct capability capabilities[] = {
#define CAPABILITY(name, number) { #name, number, true },
#define MISSING(name, number)    { #name, number, false },
#include "abi/spirv.def"
};

static bool
check_capability(struct spirv *m, uint32_t number)
{
    const char *name = "of a name that is not known here";
    for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++) {
        if (capabilities[i].number != number)
            continue;
        if (capabilities[i].taken)
            return true;
        name = capabilities[i].name;
    }
    snprintf(m->why, sizeof m->why,
             "capability %s (%u) is not among those of the device", name,
             (unsigned)number);
    return false;
}

/* The text of a literal string, which may lack its end in a malformed module. */
static void
read_text(const struct spirv *m, const struct instruction *i, size_t number,
          char *text, size_t size)
{
    size_t n = 0, at = i->at + 1 + number, end = i->at + i->n;
    for (; at < end && n + 4 < size; at++) {
        uint32_t word = word_at(m, at);
        for (unsigned byte = 0; byte < 4; byte++)
            text[n++] = (char)(word >> 8 * byte);
    }
    text[n] = 0;
    for (char *s = text; *s; s++)
        if (*s < 32 || *s > 126)
            *s = '?';
}

static bool
check_import(struct spirv *m, const struct instruction *i)
{
    static const char *const names[] = {
#define INSTRUCTIONS(name) #name,
#include "abi/spirv.def"
    };
    char name[48];
    read_text(m, i, 1, name, sizeof name);
    for (size_t n = 0; n < ARRAY_SIZE(names); n++)
        if (strcmp(name, names[n]) == 0)
            return true;
    snprintf(m->why, sizeof m->why,
             "extended instructions '%s': expected OpenCL.std or "
             "OpenCL.DebugInfo.100",
             name);
    return false;
}

static bool
check_model(struct spirv *m, uint32_t addressing, uint32_t memory)
{
    if (addressing == PHYSICAL_32 || addressing == PHYSICAL_64)
        m->address_bits = addressing == PHYSICAL_32 ? 32 : 64;
    else
        snprintf(m->why, sizeof m->why,
                 "addressing model %u: expected Physical32 (1) or Physical64 "
                 "(2)",
                 (unsigned)addressing);
    if (m->address_bits && memory != MODEL_OPENCL)
        snprintf(m->why, sizeof m->why, "memory model %u: expected OpenCL (%d)",
                 (unsigned)memory, MODEL_OPENCL);
    return !*m->why;
}

/* The translator drops this one of the modes of SubgroupDispatch. */
static bool
check_mode(struct spirv *m, uint32_t mode)
{
    enum { SUBGROUPS_PER_WORKGROUP = 36 };
    if (mode != SUBGROUPS_PER_WORKGROUP)
        return true;
    snprintf(m->why, sizeof m->why,
             "execution mode SubgroupsPerWorkgroup (%d): expected a kernel for "
             "any number of sub-groups",
             SUBGROUPS_PER_WORKGROUP);
    return false;
}

static bool
check_instruction(struct spirv *m, const struct instruction *i)
{
    switch (i->op) {
    case OP_EXECUTION_MODE:
        return check_mode(m, operand(m, i, 1));
    case OP_CAPABILITY:
        return check_capability(m, operand(m, i, 0));
    case OP_EXT_INST_IMPORT:
        return check_import(m, i);
    case OP_MEMORY_MODEL:
        return check_model(m, operand(m, i, 0), operand(m, i, 1));
    }
    return true;
}

static bool
check_version(struct spirv *m)
{
    static const uint32_t versions[] = {
#define SPIRV_VERSION(major, minor) (major) << 16 | (minor) << 8,
#include "abi/spirv.def"
    };
    uint32_t version = word_at(m, AT_VERSION);
    for (size_t i = 0; i < ARRAY_SIZE(versions); i++)
        if (version == versions[i])
            return true;
    snprintf(m->why, sizeof m->why, "SPIR-V %u.%u: expected 1.0 to 1.4",
             (unsigned)(version >> 16), (unsigned)(version >> 8 & 0xff));
    return false;
}

bool
spirv_read(struct spirv *m, const void *bytes, size_t size)
{
    *m = (struct spirv){ .bytes = bytes, .n = size / 4 };
    if (size % 4 || m->n < HEAD || !spirv_is(bytes, size)) {
        snprintf(m->why, sizeof m->why,
                 "%zu bytes that are no SPIR-V module: expected words of 4 "
                 "bytes, 5 or more, the first of them 0x07230203",
                 size);
        return false;
    }
    m->swapped = bytes_load_u32(bytes) == swapped_magic;
    if (!check_version(m))
        return false;
    struct instruction i = { 0 };
    while (next_instruction(m, &i))
        if (!is_whole(m, &i) || !check_instruction(m, &i))
            return false;
    if (!m->address_bits)
        snprintf(m->why, sizeof m->why,
                 "no OpMemoryModel: expected Physical32 or Physical64, OpenCL");
    return m->address_bits != 0;
}

bool
spirv_fits(struct spirv *m, unsigned address_bits)
{
    if (m->address_bits == address_bits)
        return true;
    snprintf(m->why, sizeof m->why,
             "addressing model Physical%u: expected Physical%u, the width of "
             "the device's addresses",
             m->address_bits, address_bits);
    return false;
}

/* ---- specialization constants ---- */

/* The instruction that makes an id, of those that constants and their types have. */
static bool
find_id(const struct spirv *m, uint32_t id, struct instruction *i)
{
    *i = (struct instruction){ 0 };
    while (next_instruction(m, i)) {
        switch (i->op) {
        case OP_TYPE_BOOL:
        case OP_TYPE_INT:
        case OP_TYPE_FLOAT:
            if (operand(m, i, 0) == id)
                return true;
            break;
        case OP_SPEC_CONSTANT_TRUE:
        case OP_SPEC_CONSTANT_FALSE:
        case OP_SPEC_CONSTANT:
            if (operand(m, i, 1) == id)
                return true;
            break;
        }
    }
    return false;
}

/* The next decoration with the SpecId; false: there is none. */
static bool
next_constant(const struct spirv *m, struct instruction *i, uint32_t spec_id)
{
    while (next_instruction(m, i))
        if (i->op == OP_DECORATE && operand(m, i, 1) == SPEC_ID && i->n > 3 &&
            operand(m, i, 2) == spec_id)
            return true;
    return false;
}

/* The size of a constant of a scalar type; 0: it is none, or of another type. */
static size_t
constant_B(const struct spirv *m, const struct instruction *constant)
{
    struct instruction type;
    if (!find_id(m, operand(m, constant, 0), &type))
        return 0;
    if (constant->op != OP_SPEC_CONSTANT)
        return type.op == OP_TYPE_BOOL;
    uint32_t bits = type.op == OP_TYPE_BOOL ? 0 : operand(m, &type, 1);
    bool known = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    return known && constant->n == 3 + (bits + 31) / 32 ? bits / 8 : 0;
}

/* The instruction of a specialization constant; false: there is none. */
static bool
find_constant(const struct spirv *m, uint32_t spec_id,
              struct instruction *constant)
{
    struct instruction i = { 0 };
    while (next_constant(m, &i, spec_id))
        if (find_id(m, operand(m, &i, 0), constant))
            return true;
    return false;
}

size_t
spirv_constant_B(const struct spirv *m, uint32_t spec_id)
{
    struct instruction constant;
    return find_constant(m, spec_id, &constant) ? constant_B(m, &constant) : 0;
}

enum spirv_kind
spirv_constant_kind(const struct spirv *m, uint32_t spec_id)
{
    struct instruction constant, type;
    if (!find_constant(m, spec_id, &constant) || !constant_B(m, &constant) ||
        !find_id(m, operand(m, &constant, 0), &type))
        return SPIRV_NONE;
    return type.op == OP_TYPE_BOOL    ? SPIRV_BOOL
           : type.op == OP_TYPE_FLOAT ? SPIRV_REAL
                                      : SPIRV_INTEGER;
}

static void
put_word(struct spirv *m, void *bytes, size_t i, uint32_t x)
{
    assert(i < m->n && "a constant is inside of its module");
    bytes_store((uint8_t *)bytes + 4 * i, 4, m->swapped ? swap(x) : x);
}

/* Whether the constant's type is a signed integer, whose narrow values are extended by
 * their sign (2.2.1, Literal). */
static bool
is_signed(const struct spirv *m, const struct instruction *constant)
{
    struct instruction type;
    return find_id(m, operand(m, constant, 0), &type) &&
           type.op == OP_TYPE_INT && operand(m, &type, 2);
}

static void
put_value(struct spirv *m, void *bytes, const struct instruction *constant,
          const uint8_t *value)
{
    size_t size = constant_B(m, constant);
    uint64_t x = 0;
    for (size_t i = 0; i < size; i++)
        x |= (uint64_t)value[i] << 8 * i;
    if (constant->op != OP_SPEC_CONSTANT) {
        uint32_t op = x ? OP_SPEC_CONSTANT_TRUE : OP_SPEC_CONSTANT_FALSE;
        put_word(m, bytes, constant->at, (uint32_t)constant->n << 16 | op);
        return;
    }
    if (size < 4 && is_signed(m, constant) && x >> (8 * size - 1) & 1)
        x |= ~(uint64_t)0 << 8 * size;
    for (size_t i = 3; i < constant->n; i++)
        put_word(m, bytes, constant->at + i, (uint32_t)(x >> 32 * (i - 3)));
}

void
spirv_specialise(void *bytes, size_t size, uint32_t spec_id, const void *value)
{
    struct spirv m;
    bool ok = spirv_read(&m, bytes, size);
    assert(ok && "the module was read before");
    struct instruction i = { 0 }, constant;
    while (ok && next_constant(&m, &i, spec_id))
        if (find_id(&m, operand(&m, &i, 0), &constant) &&
            constant_B(&m, &constant))
            put_value(&m, bytes, &constant, value);
}

/* ---- hints about aliases ---- */

enum {
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_COPY_MEMORY = 63,
    OP_COPY_MEMORY_SIZED = 64,
    OP_DECORATE_ID = 332,
    OP_ALIAS_DOMAIN_DECL = 5911,
    OP_ALIAS_SCOPE_LIST_DECL = 5913,
    ALIAS_SCOPE = 5914,
    NO_ALIAS = 5915
};

/* Memory operands: a word of these bits, then a word for each of some. */
enum { HAS_OPERAND = 1 << 1 | 1 << 3 | 1 << 4, IS_ALIAS = 1 << 16 | 1 << 17 };

static unsigned
count_bits(uint32_t x)
{
    unsigned n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

/* The number of an access's operands before those of memory; 0: it is no access. */
static size_t
memory_operands_at(uint32_t op)
{
    switch (op) {
    case OP_LOAD:
    case OP_COPY_MEMORY_SIZED:
        return 3;
    case OP_STORE:
    case OP_COPY_MEMORY:
        return 2;
    }
    return 0;
}

/* Whether an instruction only declares or refers to a scope of aliases. */
static bool
is_about_aliases(const struct spirv *m, const struct instruction *i)
{
    uint32_t what = operand(m, i, 1);
    return (i->op >= OP_ALIAS_DOMAIN_DECL &&
            i->op <= OP_ALIAS_SCOPE_LIST_DECL) ||
           (i->op == OP_DECORATE_ID &&
            (what == ALIAS_SCOPE || what == NO_ALIAS));
}

static void
append(uint8_t *to, size_t *n, uint32_t word)
{
    bytes_store(to + 4 * (*n)++, 4, word);
}

/* Copies an access of memory without the operands that are about aliases. */
static void
copy_access(const struct spirv *m, const struct instruction *i, uint8_t *to,
            size_t *n)
{
    size_t begin = *n, next = 1 + memory_operands_at(i->op);
    for (size_t k = 0; k < next && k < i->n; k++)
        append(to, n, word_at(m, i->at + k));
    while (next < i->n) {
        uint32_t mask = word_at(m, i->at + next++);
        unsigned kept = count_bits(mask & HAS_OPERAND);
        append(to, n, mask & ~(uint32_t)IS_ALIAS);
        for (; kept && next < i->n; kept--)
            append(to, n, word_at(m, i->at + next++));
        next += count_bits(mask & IS_ALIAS);
    }
    bytes_store(to + 4 * begin, 4, (uint32_t)(*n - begin) << 16 | i->op);
}

size_t
spirv_copy(void *to, const void *bytes, size_t size)
{
    struct spirv m = { .bytes = bytes, .n = size / 4 };
    struct instruction i = { 0 };
    size_t n = 0, at = m.n < HEAD ? m.n : HEAD;
    m.swapped = size >= 4 && bytes_load_u32(bytes) == swapped_magic;
    for (size_t k = 0; k < at; k++)
        append(to, &n, word_at(&m, k));
    while (next_instruction(&m, &i) && is_whole(&m, &i)) {
        at = i.at + i.n;
        if (memory_operands_at(i.op))
            copy_access(&m, &i, to, &n);
        else if (!is_about_aliases(&m, &i))
            for (size_t k = 0; k < i.n; k++)
                append(to, &n, word_at(&m, i.at + k));
    }
    for (; at < m.n; at++) /* what is malformed is reported by spirv_read */
        append(to, &n, word_at(&m, at));
    memcpy((uint8_t *)to + 4 * n, (const uint8_t *)bytes + 4 * m.n, size % 4);
    return 4 * n + size % 4;
}
