/* SPDX-License-Identifier: Apache-2.0 */
/* What operations compute, of one thread, written for this test alone. */
#include "reference.h"

#include <string.h>

static uint32_t
float_op(enum arith op, uint32_t a, uint32_t b)
{
    float x, y, r;
    uint32_t bits;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    r = op == OP_FADD ? x + y : op == OP_FSUB ? x - y : x * y;
    memcpy(&bits, &r, 4);
    return r != r ? 0x7fc00000 : bits;
}

static uint32_t
quotient(enum arith op, uint32_t a, uint32_t b)
{
    int64_t x = (int32_t)a, y = (int32_t)b;
    switch ((int)op) {
    case OP_DIV:
        return b ? (uint32_t)(x / y) : UINT32_MAX;
    case OP_REM:
        return b ? (uint32_t)(x % y) : a;
    case OP_DIVU:
        return b ? a / b : UINT32_MAX;
    }
    return b ? a % b : a;
}

static uint32_t
product(enum arith op, uint32_t a, uint32_t b, uint32_t d)
{
    int64_t x = (int32_t)a, y = (int32_t)b;
    switch ((int)op) {
    case OP_MUL:
        return a * b;
    case OP_MULH:
        return (uint32_t)((uint64_t)(x * y) >> 32);
    case OP_MULHSU:
        return (uint32_t)((uint64_t)(x * (int64_t)b) >> 32);
    case OP_MULHU:
        return (uint32_t)((uint64_t)a * b >> 32);
    case OP_MACC:
        return b * a + d;
    case OP_NMSAC:
        return d - b * a;
    case OP_MADD:
        return b * d + a;
    }
    return a - b * d; /* OP_NMSUB */
}

static uint32_t
compared(enum arith op, uint32_t a, uint32_t b)
{
    int32_t x = (int32_t)a, y = (int32_t)b;
    switch ((int)op) {
    case OP_SEQ:
        return a == b;
    case OP_SNE:
        return a != b;
    case OP_SLT:
        return x < y;
    case OP_SLTU:
        return a < b;
    case OP_SLE:
        return x <= y;
    case OP_SLEU:
        return a <= b;
    case OP_SGT:
        return x > y;
    }
    return a > b; /* OP_SGTU */
}

static uint32_t
shifted_or_chosen(enum arith op, uint32_t a, uint32_t b)
{
    int32_t x = (int32_t)a, y = (int32_t)b;
    switch ((int)op) {
    case OP_SLL:
        return a << b % 32;
    case OP_SRL:
        return a >> b % 32;
    case OP_SRA:
        return (uint32_t)((int64_t)x >> b % 32);
    case OP_MIN:
        return x < y ? a : b;
    case OP_MAX:
        return x > y ? a : b;
    case OP_MINU:
        return a < b ? a : b;
    }
    return a > b ? a : b; /* OP_MAXU */
}

uint32_t
operation_arith(enum arith op, uint32_t a, uint32_t b, uint32_t d, uint32_t v0)
{
    switch (op) {
    case OP_ADD:
    case OP_ADD12:
        return a + b;
    case OP_SUB:
    case OP_SUB12:
        return a - b;
    case OP_RSUB:
        return b - a;
    case OP_AND:
        return a & b;
    case OP_OR:
        return a | b;
    case OP_XOR:
        return a ^ b;
    case OP_SLL:
    case OP_SRL:
    case OP_SRA:
    case OP_MIN:
    case OP_MAX:
    case OP_MINU:
    case OP_MAXU:
        return shifted_or_chosen(op, a, b);
    case OP_MUL:
    case OP_MULH:
    case OP_MULHU:
    case OP_MULHSU:
    case OP_MACC:
    case OP_NMSAC:
    case OP_MADD:
    case OP_NMSUB:
        return product(op, a, b, d);
    case OP_DIV:
    case OP_DIVU:
    case OP_REM:
    case OP_REMU:
        return quotient(op, a, b);
    case OP_SEQ:
    case OP_SNE:
    case OP_SLT:
    case OP_SLTU:
    case OP_SLE:
    case OP_SLEU:
    case OP_SGT:
    case OP_SGTU:
        return compared(op, a, b);
    case OP_MERGE:
        return v0 & 1 ? b : a;
    case OP_ADC:
        return a + b + (v0 & 1);
    case OP_MADC:
        return (uint32_t)(((uint64_t)a + b + (v0 & 1)) >> 32);
    case OP_FADD:
    case OP_FSUB:
    case OP_FMUL:
        return float_op(op, a, b);
    case OP_MV:
    case ARITHS:
        break;
    }
    return b;
}

uint32_t
operation_atomic(enum atomic op, uint32_t old, uint32_t by)
{
    switch (op) {
    case AMO_SWAP:
        return by;
    case AMO_ADD:
        return old + by;
    case AMO_XOR:
        return old ^ by;
    case AMO_AND:
        return old & by;
    case AMO_OR:
        return old | by;
    case AMO_MIN:
        return (int32_t)old < (int32_t)by ? old : by;
    case AMO_MAX:
        return (int32_t)old > (int32_t)by ? old : by;
    case AMO_MINU:
        return old < by ? old : by;
    case AMO_MAXU:
    case AMOS:
        break;
    }
    return old > by ? old : by;
}

bool
operation_taken(enum compare op, uint32_t a, uint32_t b)
{
    switch (op) {
    case CMP_EQ:
        return a == b;
    case CMP_NE:
        return a != b;
    case CMP_LT:
        return (int32_t)a < (int32_t)b;
    case CMP_GE:
        return (int32_t)a >= (int32_t)b;
    case CMP_LTU:
        return a < b;
    case CMP_GEU:
    case CMPS:
        break;
    }
    return a >= b;
}
