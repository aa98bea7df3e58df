/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/agent.h"

#include <assert.h>
#include <string.h>

enum { STACK = 128, STEPS = 1000000 };

/* GDB manual, F.2, Bytecode Descriptions. */
enum op {
    OP_ADD = 0x02,
    OP_SUB = 0x03,
    OP_MUL = 0x04,
    OP_DIV_SIGNED = 0x05,
    OP_DIV_UNSIGNED = 0x06,
    OP_REM_SIGNED = 0x07,
    OP_REM_UNSIGNED = 0x08,
    OP_LSH = 0x09,
    OP_RSH_SIGNED = 0x0a,
    OP_RSH_UNSIGNED = 0x0b,
    OP_LOG_NOT = 0x0e,
    OP_BIT_AND = 0x0f,
    OP_BIT_OR = 0x10,
    OP_BIT_XOR = 0x11,
    OP_BIT_NOT = 0x12,
    OP_EQUAL = 0x13,
    OP_LESS_SIGNED = 0x14,
    OP_LESS_UNSIGNED = 0x15,
    OP_EXT = 0x16,
    OP_REF8 = 0x17,
    OP_REF16 = 0x18,
    OP_REF32 = 0x19,
    OP_REF64 = 0x1a,
    OP_IF_GOTO = 0x20,
    OP_GOTO = 0x21,
    OP_CONST8 = 0x22,
    OP_CONST16 = 0x23,
    OP_CONST32 = 0x24,
    OP_CONST64 = 0x25,
    OP_REG = 0x26,
    OP_END = 0x27,
    OP_DUP = 0x28,
    OP_POP = 0x29,
    OP_ZERO_EXT = 0x2a,
    OP_SWAP = 0x2b,
    OP_PICK = 0x32,
    OP_ROT = 0x33
};

struct agent {
    const struct gdb_agent *a;
    const uint8_t *code;
    size_t size, pc;
    uint64_t stack[STACK];
    unsigned depth;
    bool bad;
};

static uint64_t
pop(struct agent *s)
{
    s->bad |= !s->depth;
    return s->bad ? 0 : s->stack[--s->depth];
}

static void
push(struct agent *s, uint64_t x)
{
    assert(s->depth <= STACK);
    s->bad |= s->depth == STACK;
    if (!s->bad)
        s->stack[s->depth++] = x;
}

/* An operand of n bytes, the highest first. */
static uint64_t
operand(struct agent *s, unsigned n)
{
    uint64_t x = 0;
    assert(s->pc <= s->size && n <= sizeof x);
    s->bad |= s->size - s->pc < n;
    for (unsigned i = 0; i < n && !s->bad; i++)
        x = x << 8 | s->code[s->pc++];
    return x;
}

static uint64_t
extend(uint64_t x, unsigned bits, bool is_signed)
{
    if (!bits || bits >= 64)
        return x;
    x <<= 64 - bits;
    return is_signed ? (uint64_t)((int64_t)x >> (64 - bits)) : x >> (64 - bits);
}

/* Division; INT64_MIN / -1 wraps. */
static uint64_t
divide(struct agent *s, enum op op, uint64_t a, uint64_t b)
{
    bool overflows = a == UINT64_C(1) << 63 && b == UINT64_MAX;
    s->bad |= !b;
    if (s->bad)
        return 0;
    if (op == OP_DIV_UNSIGNED)
        return a / b;
    if (op == OP_REM_UNSIGNED)
        return a % b;
    if (overflows)
        return op == OP_DIV_SIGNED ? a : 0;
    return (uint64_t)(op == OP_DIV_SIGNED ? (int64_t)a / (int64_t)b
                                          : (int64_t)a % (int64_t)b);
}

/* False: it is no operation of two numbers. */
static bool
two(struct agent *s, unsigned op)
{
    if ((op < OP_ADD || op > OP_RSH_UNSIGNED) &&
        (op < OP_BIT_AND || op > OP_LESS_UNSIGNED || op == OP_BIT_NOT))
        return false;
    uint64_t b = pop(s), a = pop(s), r = 0;
    switch (op) {
    case OP_ADD:
        r = a + b;
        break;
    case OP_SUB:
        r = a - b;
        break;
    case OP_MUL:
        r = a * b;
        break;
    case OP_LSH:
        r = b < 64 ? a << b : 0;
        break;
    case OP_RSH_SIGNED:
        r = (uint64_t)((int64_t)a >> (b < 64 ? b : 63));
        break;
    case OP_RSH_UNSIGNED:
        r = b < 64 ? a >> b : 0;
        break;
    case OP_BIT_AND:
        r = a & b;
        break;
    case OP_BIT_OR:
        r = a | b;
        break;
    case OP_BIT_XOR:
        r = a ^ b;
        break;
    case OP_EQUAL:
        r = a == b;
        break;
    case OP_LESS_SIGNED:
        r = (int64_t)a < (int64_t)b;
        break;
    case OP_LESS_UNSIGNED:
        r = a < b;
        break;
    default:
        r = divide(s, (enum op)op, a, b);
        break;
    }
    push(s, r);
    return true;
}

static void
load(struct agent *s, unsigned bytes)
{
    uint8_t at[8] = { 0 };
    uint64_t x = 0;
    assert(bytes <= sizeof at);
    uint64_t address = pop(s);
    s->bad = s->bad || !s->a->read_memory(s->a->ctx, address, at, bytes);
    for (unsigned i = bytes; i-- > 0;)
        x = x << 8 | at[i];
    push(s, x);
}

static void
jump(struct agent *s, bool taken)
{
    size_t to = (size_t)operand(s, 2);
    if (taken)
        s->pc = to;
}

static void
pick(struct agent *s)
{
    uint64_t n = operand(s, 1);
    s->bad |= n >= s->depth;
    push(s, s->bad ? 0 : s->stack[s->depth - 1 - n]);
}

/* Executes an operation that moves numbers on the stack; false: it is another. */
static bool
shuffle(struct agent *s, unsigned op)
{
    uint64_t a, b, c;
    switch (op) {
    case OP_DUP:
        a = pop(s);
        push(s, a);
        push(s, a);
        return true;
    case OP_POP:
        pop(s);
        return true;
    case OP_SWAP:
        b = pop(s), a = pop(s);
        push(s, b);
        push(s, a);
        return true;
    case OP_ROT: /* a b c: c a b */
        c = pop(s), b = pop(s), a = pop(s);
        push(s, c);
        push(s, a);
        push(s, b);
        return true;
    case OP_PICK:
        pick(s);
        return true;
    default:
        return false;
    }
}

static void
read_register(struct agent *s)
{
    uint64_t x = 0;
    unsigned number = (unsigned)operand(s, 2);
    s->bad = s->bad || !s->a->read_register(s->a->ctx, number, &x);
    push(s, x);
}

static void
one(struct agent *s, unsigned op)
{
    if (two(s, op) || shuffle(s, op))
        return;
    switch (op) {
    case OP_LOG_NOT:
        push(s, !pop(s));
        break;
    case OP_BIT_NOT:
        push(s, ~pop(s));
        break;
    case OP_EXT:
        push(s, extend(pop(s), (unsigned)operand(s, 1), true));
        break;
    case OP_ZERO_EXT:
        push(s, extend(pop(s), (unsigned)operand(s, 1), false));
        break;
    case OP_REF8:
        load(s, 1);
        break;
    case OP_REF16:
        load(s, 2);
        break;
    case OP_REF32:
        load(s, 4);
        break;
    case OP_REF64:
        load(s, 8);
        break;
    case OP_IF_GOTO:
        jump(s, pop(s) != 0);
        break;
    case OP_GOTO:
        jump(s, true);
        break;
    case OP_CONST8:
        push(s, operand(s, 1));
        break;
    case OP_CONST16:
        push(s, operand(s, 2));
        break;
    case OP_CONST32:
        push(s, operand(s, 4));
        break;
    case OP_CONST64:
        push(s, operand(s, 8));
        break;
    case OP_REG:
        read_register(s);
        break;
    default:
        s->bad = true;
        break;
    }
}

bool
gdb_agent_evaluate(const struct gdb_agent *a, const uint8_t *code, size_t size,
                   uint64_t *value)
{
    struct agent s = { .a = a, .code = code, .size = size };
    for (unsigned i = 0; i < STEPS && !s.bad && s.pc < size; i++) {
        unsigned op = s.code[s.pc++];
        if (op == OP_END) {
            *value = pop(&s);
            return !s.bad;
        }
        one(&s, op);
    }
    return false;
}
