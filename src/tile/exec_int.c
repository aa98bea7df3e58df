/* SPDX-License-Identifier: Apache-2.0 */
/* Integer instructions, branches and jumps: I and M. */
#include "tile/exec.h"

/* rd = an expression of a = x[rs1], b = x[rs2] or the immediate. */
#define OPERATION(name, operand, expression)  \
    HANDLER(name)                             \
    {                                         \
        uint64_t a = h->x[i->rs1];            \
        uint64_t b = operand;                 \
        h->x[i->rd] = (uint64_t)(expression); \
        return i + step;                      \
    }
#define REG(name, expression) OPERATION(name, h->x[i->rs2], expression)
#define IMM(name, expression) \
    OPERATION(name, (uint64_t)(int64_t)i->imm, expression)

static inline uint64_t
word(uint64_t x)
{
    return (uint64_t)(int32_t)(uint32_t)x;
}

REG(add, a + b)
REG(sub, a - b)
REG(sll, a << (b & 63))
REG(slt, (int64_t)a < (int64_t)b)
REG(sltu, a < b)
REG(xor, a ^ b)
REG(srl, a >> (b & 63))
REG(sra, (int64_t)a >> (b & 63))
REG(or, a | b)
REG(and, a &b)
REG(addw, word(a + b))
REG(subw, word(a - b))
REG(sllw, word((uint32_t)a << (b & 31)))
REG(srlw, word((uint32_t)a >> (b & 31)))
REG(sraw, word((uint64_t)((int32_t)(uint32_t)a >> (b & 31))))
IMM(addi, a + b)
IMM(slti, (int64_t)a < (int64_t)b)
IMM(sltiu, a < b)
IMM(xori, a ^ b)
IMM(ori, a | b)
IMM(andi, a &b)
IMM(slli, a << b)
IMM(srli, a >> b)
IMM(srai, (int64_t)a >> b)
IMM(addiw, word(a + b))
IMM(slliw, word((uint32_t)a << b))
IMM(srliw, word((uint32_t)a >> b))
IMM(sraiw, word((uint64_t)((int32_t)(uint32_t)a >> b)))

/* c.addi16sp names neither register. */
HANDLER(addi16sp)
{
    h->x[2] += (uint64_t)(int64_t)i->imm;
    return i + step;
}

HANDLER(lui)
{
    h->x[i->rd] = word((uint64_t)(uint32_t)i->imm << 12);
    return i + step;
}

HANDLER(auipc)
{
    h->x[i->rd] = i->pc + word((uint64_t)(uint32_t)i->imm << 12);
    return i + step;
}

/* The slot that a direct jump leads to. */
static inline const struct hart_insn *
go(struct hart *h, const struct hart_insn *i)
{
    if (i->aux)
        return i + i->imm / 2;
    return hart_find(h, i->pc + (uint64_t)(int64_t)i->imm);
}

#define BRANCH(name, condition)                      \
    HANDLER(name)                                    \
    {                                                \
        uint64_t a = h->x[i->rs1], b = h->x[i->rs2]; \
        return (condition) ? go(h, i) : i + step;    \
    }

BRANCH(beq, a == b)
BRANCH(bne, a != b)
BRANCH(blt, (int64_t)a < (int64_t)b)
BRANCH(bge, (int64_t)a >= (int64_t)b)
BRANCH(bltu, a < b)
BRANCH(bgeu, a >= b)

HANDLER(jal)
{
    h->x[i->rd] = i->pc + i->size;
    return go(h, i);
}

HANDLER(jalr)
{
    uint64_t to = (h->x[i->rs1] + (uint64_t)(int64_t)i->imm) & ~UINT64_C(1);
    h->x[i->rd] = i->pc + i->size;
    return hart_find(h, to);
}

REG(mul, a *b)
REG(mulh, (unsigned __int128)((__int128)(int64_t)a *(int64_t)b) >> 64)
REG(mulhu, (unsigned __int128)a *b >> 64)
REG(mulhsu, (unsigned __int128)((__int128)(int64_t)a *(__int128)b) >> 64)
REG(mulw, word(a *b))

/* By zero: quotient all ones, remainder the dividend; no overflow trap. */
static inline int64_t
divide(int64_t a, int64_t b)
{
    if (b == 0)
        return -1;
    return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

static inline int64_t
remainder_of(int64_t a, int64_t b)
{
    if (b == 0)
        return a;
    return b == -1 ? 0 : a % b;
}

static inline int64_t
low(uint64_t x)
{
    return (int32_t)(uint32_t)x;
}

REG(div, divide((int64_t)a, (int64_t)b))
REG(divu, b ? a / b : ~UINT64_C(0))
REG(rem, remainder_of((int64_t)a, (int64_t)b))
REG(remu, b ? a % b : a)
REG(divw, word((uint64_t)divide(low(a), low(b))))
REG(divuw, word((uint32_t)b ? (uint32_t)a / (uint32_t)b : ~0u))
REG(remw, word((uint64_t)remainder_of(low(a), low(b))))
REG(remuw, word((uint32_t)b ? (uint32_t)a % (uint32_t)b : (uint32_t)a))
