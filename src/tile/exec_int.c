/* SPDX-License-Identifier: Apache-2.0 */
/* Integer instructions, branches and jumps: I and M. */
#include "isa/sem.h"
#include "tile/exec.h"

/*
 * rd = the meaning (isa/sem.h) of a = x[rs1] and b = x[rs2] or the immediate: of
 * all 64 bits, or in ...w of the low 32, whose result is sign-extended.
 */
#define OPERATION(name, operand, expression) \
    HANDLER(name)                            \
    {                                        \
        uint64_t a = h->x[i->rs1];           \
        uint64_t b = operand;                \
        h->x[i->rd] = expression;            \
        return i + step;                     \
    }
#define WORDS(meaning) \
    sem_sext(sem_##meaning##_32((uint32_t)a, (uint32_t)b), 32)
#define IMMEDIATE (uint64_t)(int64_t) i->imm
#define REG(name, meaning) \
    OPERATION(name, h->x[i->rs2], sem_##meaning##_64(a, b))
#define IMM(name, meaning)  OPERATION(name, IMMEDIATE, sem_##meaning##_64(a, b))
#define REGW(name, meaning) OPERATION(name, h->x[i->rs2], WORDS(meaning))
#define IMMW(name, meaning) OPERATION(name, IMMEDIATE, WORDS(meaning))

REG(add, add)
REG(sub, sub)
REG(sll, sll)
REG(slt, slt)
REG(sltu, sltu)
REG(xor, xor)
REG(srl, srl)
REG(sra, sra)
REG(or, or)
REG(and, and)
REGW(addw, add)
REGW(subw, sub)
REGW(sllw, sll)
REGW(srlw, srl)
REGW(sraw, sra)
IMM(addi, add)
IMM(slti, slt)
IMM(sltiu, sltu)
IMM(xori, xor)
IMM(ori, or)
IMM(andi, and)
IMM(slli, sll)
IMM(srli, srl)
IMM(srai, sra)
IMMW(addiw, add)
IMMW(slliw, sll)
IMMW(srliw, srl)
IMMW(sraiw, sra)

/* c.addi16sp names neither register. */
HANDLER(addi16sp)
{
    h->x[2] += (uint64_t)(int64_t)i->imm;
    return i + step;
}

HANDLER(lui)
{
    h->x[i->rd] = sem_sext((uint64_t)(uint32_t)i->imm << 12, 32);
    return i + step;
}

HANDLER(auipc)
{
    h->x[i->rd] = i->pc + sem_sext((uint64_t)(uint32_t)i->imm << 12, 32);
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

#define BRANCH(name, compare)                                  \
    HANDLER(b##name)                                           \
    {                                                          \
        uint64_t a = h->x[i->rs1], b = h->x[i->rs2];           \
        return sem_##compare##_64(a, b) ? go(h, i) : i + step; \
    }

SEM_BRANCH_LIST(BRANCH)

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

REG(mul, mul)
REG(mulh, mulh)
REG(mulhu, mulhu)
REG(mulhsu, mulhsu)
REG(div, div)
REG(divu, divu)
REG(rem, rem)
REG(remu, remu)
REGW(mulw, mul)
REGW(divw, div)
REGW(divuw, divu)
REGW(remw, rem)
REGW(remuw, remu)
