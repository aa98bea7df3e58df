/* SPDX-License-Identifier: Apache-2.0 */
/* The registers that an instruction reads and writes, from the instruction table. */
#include "sanitize/operands.h"
#include "base/arith.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

struct sanitize_operands sanitize_operands[VENTUS_ISA_OP_COUNT];

static enum sanitize_rule
rule_of(unsigned code)
{
    const struct ventus_isa_info *info = &ventus_isa_info[code];
    static const struct {
        const char *meaning;
        enum sanitize_rule rule;
    } special[] = {
        { "and", RULE_AND },         { "or", RULE_OR },
        { "xor", RULE_SAME },        { "sub", RULE_SAME },
        { "merge", RULE_MERGE },     { "fence", RULE_FENCE },
        { "barrier", RULE_BARRIER }, { "barriersub", RULE_BARRIER },
    };
    if (info->flags & (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE))
        return RULE_MEMORY;
    for (size_t i = 0; i < ARRAY_SIZE(special); i++)
        if (strcmp(info->meaning, special[i].meaning) == 0)
            return special[i].rule;
    if (code == VENTUS_ISA_SLTI || code == VENTUS_ISA_VMV_X_S)
        return RULE_HINT;
    if (info->unit == VENTUS_ISA_UNIT_CSR)
        return RULE_CSR;
    switch (info->format) {
    case VENTUS_ISA_FORMAT_B:
    case VENTUS_ISA_FORMAT_VB:
    case VENTUS_ISA_FORMAT_JR:
        return RULE_BRANCH;
    case VENTUS_ISA_FORMAT_JOIN:
        return RULE_NONE;
    }
    return RULE_ANY;
}

static bool
is_compare(const char *meaning)
{
    static const char *const names[] = { "seq",  "sne", "slt",  "sltu", "sle",
                                         "sleu", "sgt", "sgtu", "feq",  "fne",
                                         "flt",  "fle", "fgt",  "fge" };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(meaning, names[i]) == 0)
            return true;
    return false;
}

static void
describe(unsigned code, struct sanitize_operands *o)
{
    const struct ventus_isa_info *info = &ventus_isa_info[code];
    bool *const vector[] = { &o->vd, &o->v1, &o->v2, &o->v3 };
    bool *const scalar[] = { &o->xd, &o->x1, &o->x2, &o->x3 };
    o->rule = (uint8_t)rule_of(code);
    o->atomic = info->flags & VENTUS_ISA_F_ATOMIC;
    o->load = info->flags & VENTUS_ISA_F_LOAD;
    o->store = info->flags & VENTUS_ISA_F_STORE;
    o->lane = info->flags & VENTUS_ISA_F_READLANE;
    o->fixed = info->flags & VENTUS_ISA_F_PAIR64;
    o->twice[VENTUS_ISA_SLOT_D] = info->flags & VENTUS_ISA_F_WIDENS;
    o->twice[VENTUS_ISA_SLOT_2] = info->flags & VENTUS_ISA_F_NARROWS;
    o->swap = o->atomic && strncmp(info->meaning, "amoswap", 7) == 0;
    o->sub = strcmp(info->meaning, "barriersub") == 0;
    o->compares = is_compare(info->meaning);
    o->bits = o->rule == RULE_AND || o->rule == RULE_OR ||
              strcmp(info->meaning, "xor") == 0;
    o->moves = strcmp(info->meaning, "mv") == 0;
    for (unsigned slot = VENTUS_ISA_SLOT_D; slot <= VENTUS_ISA_SLOT_3; slot++) {
        const struct ventus_isa_field *f =
            ventus_isa_slot_field(code, (enum ventus_isa_slot)slot);
        if (!f)
            continue;
        bool is_vector = f->kind == VENTUS_ISA_KIND_V;
        o->pair[slot] = f->pair;
        o->vector |= is_vector;
        o->data |= is_vector && slot == VENTUS_ISA_SLOT_D && !f->out;
        /* Stores have data where others have the destination. */
        *(is_vector ? vector : scalar)[slot] =
            slot != VENTUS_ISA_SLOT_D || f->out;
    }
    o->v0 = info->format == VENTUS_ISA_FORMAT_VMERGEV ||
            info->format == VENTUS_ISA_FORMAT_VMERGEX ||
            info->format == VENTUS_ISA_FORMAT_VMERGEI;
    if (info->format == VENTUS_ISA_FORMAT_VI12) { /* as bind_op leaves it */
        o->v1 = false;
        o->v2 = o->add12 = true;
    }
    if (info->flags & VENTUS_ISA_F_ACCUM)
        *(o->vd ? &o->v3 : &o->x3) = true;
}

static void
fill(void)
{
    for (unsigned code = 1; code < VENTUS_ISA_OP_COUNT; code++)
        describe(code, &sanitize_operands[code]);
    assert(sanitize_operands[VENTUS_ISA_VLW12_V].load);
    assert(sanitize_operands[VENTUS_ISA_VWADDU_VX].pair[VENTUS_ISA_SLOT_D]);
    assert(!sanitize_operands[VENTUS_ISA_VWADDU_VX].pair[VENTUS_ISA_SLOT_2]);
    assert(sanitize_operands[VENTUS_ISA_VMERGE_VVM].rule == RULE_MERGE);
}

void
sanitize_operands_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
}
