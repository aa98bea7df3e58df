/* SPDX-License-Identifier: Apache-2.0 */
/* Places in a program, and which programs are sound. */
#include "program.h"

const struct arith_info arith_info[ARITHS] = {
    [OP_ADD] = { "vadd", VV | VX | VI },
    [OP_SUB] = { "vsub", VV | VX },
    [OP_RSUB] = { "vrsub", VX | VI },
    [OP_AND] = { "vand", VV | VX | VI },
    [OP_OR] = { "vor", VV | VX | VI },
    [OP_XOR] = { "vxor", VV | VX | VI },
    [OP_SLL] = { "vsll", VV | VX | VI, .shifts = true },
    [OP_SRL] = { "vsrl", VV | VX | VI, .shifts = true },
    [OP_SRA] = { "vsra", VV | VX | VI, .shifts = true },
    [OP_MIN] = { "vmin", VV | VX },
    [OP_MAX] = { "vmax", VV | VX },
    [OP_MINU] = { "vminu", VV | VX },
    [OP_MAXU] = { "vmaxu", VV | VX },
    [OP_MUL] = { "vmul", VV | VX },
    [OP_MULH] = { "vmulh", VV | VX },
    [OP_MULHU] = { "vmulhu", VV | VX },
    [OP_MULHSU] = { "vmulhsu", VV | VX },
    [OP_DIV] = { "vdiv", VV | VX },
    [OP_DIVU] = { "vdivu", VV | VX },
    [OP_REM] = { "vrem", VV | VX },
    [OP_REMU] = { "vremu", VV | VX },
    [OP_SEQ] = { "vmseq", VV | VX | VI },
    [OP_SNE] = { "vmsne", VV | VX | VI },
    [OP_SLT] = { "vmslt", VV | VX },
    [OP_SLTU] = { "vmsltu", VV | VX },
    [OP_SLE] = { "vmsle", VV | VX | VI },
    [OP_SLEU] = { "vmsleu", VV | VX | VI },
    [OP_SGT] = { "vmsgt", VX | VI },
    [OP_SGTU] = { "vmsgtu", VX | VI },
    [OP_MACC] = { "vmacc", VV | VX, .accumulates = true },
    [OP_NMSAC] = { "vnmsac", VV | VX, .accumulates = true },
    [OP_MADD] = { "vmadd", VV | VX, .accumulates = true },
    [OP_NMSUB] = { "vnmsub", VV | VX, .accumulates = true },
    [OP_MERGE] = { "vmerge", VV | VX | VI, .takes_v0 = true },
    [OP_ADC] = { "vadc", VV | VX | VI, .takes_v0 = true },
    [OP_MADC] = { "vmadc", VV | VX | VI, .takes_v0 = true },
    [OP_ADD12] = { "vadd12", VI, .always = true },
    [OP_SUB12] = { "vsub12", VI, .always = true },
    [OP_FADD] = { "vfadd", VV | VX, .floats = true },
    [OP_FSUB] = { "vfsub", VV | VX, .floats = true },
    [OP_FMUL] = { "vfmul", VV | VX, .floats = true },
    [OP_MV] = { "vmv", VV | VX | VI, .always = true },
};

bool
program_has(const struct program *p, unsigned node, enum kind kind)
{
    const struct node *n = &p->node[node];
    if (n->kind == kind)
        return true;
    const uint16_t first[] = { n->body, n->other };
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = first[i]; k; k = p->node[k].next)
            if (program_has(p, k, kind))
                return true;
    return false;
}

struct place
place_after(const struct program *p, unsigned node)
{
    const struct node *n = &p->node[node];
    if (n->next)
        return (struct place){ n->next, ENTER };
    unsigned kind = p->node[n->parent].kind;
    return (struct place){ n->parent, kind == LOOP || kind == UNIFORM_LOOP
                                          ? LATCH
                                          : JOIN };
}

struct place
place_side(const struct program *p, unsigned node, unsigned first)
{
    const struct node *n = &p->node[node];
    if (first)
        return (struct place){ (uint16_t)first, ENTER };
    return (struct place){ (uint16_t)node,
                           n->kind == LOOP || n->kind == UNIFORM_LOOP ? LATCH
                                                                      : JOIN };
}

static bool
is_inside(const struct program *p, unsigned node, unsigned outer)
{
    for (; node; node = p->node[node].parent)
        if (node == outer)
            return true;
    return false;
}

/* Whether lanes that are in the subtree of both come to a before b. */
static bool
is_before(const struct program *p, struct place a, struct place b)
{
    if (a.node == b.node)
        return a.phase < b.phase;
    return is_inside(p, a.node, b.node);
}

/* The farthest place that escapes below `node` lead to, if beyond `*to`. */
static void
farthest(const struct program *p, unsigned node, struct place *to)
{
    const struct node *n = &p->node[node];
    struct place target = { n->target, n->phase };
    if (n->kind == ESCAPE && is_before(p, *to, target))
        *to = target;
    const uint16_t first[] = { n->body, n->other };
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = first[i]; k; k = p->node[k].next)
            farthest(p, k, to);
}

struct place
place_meet(const struct program *p, unsigned node)
{
    struct place to = { (uint16_t)node, JOIN }, before;
    do {
        before = to;
        farthest(p, to.node, &to);
    } while (!same_place(to, before));
    return to;
}

/* ---- soundness ---- */

/* together: all threads of the warp that have not ended are here. */
static bool
link_list(struct program *p, unsigned first, unsigned parent, bool together,
          unsigned counters[2]);

/* A scalar register counts: all lanes stay in the loop together. */
static bool
escapes_beyond(const struct program *p, unsigned node, unsigned loop)
{
    struct place latch = { (uint16_t)loop, LATCH }, to = latch;
    farthest(p, node, &to);
    return !same_place(to, latch);
}

static bool
link_node(struct program *p, unsigned node, bool together, unsigned counters[2])
{
    struct node *n = &p->node[node];
    bool needs_all = n->kind == UNIFORM || n->kind == BARRIER ||
                     n->kind == EXCHANGE || n->kind == END_WARP ||
                     n->kind == LENGTH;
    if (needs_all && !together)
        return false;
    if (n->kind == ESCAPE && !is_inside(p, node, n->target))
        return false;
    if (n->kind == CALL && !p->function[n->target])
        return false;
    if (n->kind == LOOP)
        n->counter = (uint8_t)counters[0]++;
    if (n->kind == UNIFORM_LOOP)
        n->counter = (uint8_t)counters[1]++;
    else
        together = false;
    return link_list(p, n->body, node, together, counters) &&
           link_list(p, n->other, node, together, counters) &&
           ((n->kind != UNIFORM_LOOP && n->kind != LENGTH) ||
            !escapes_beyond(p, node, node));
}

static bool
link_list(struct program *p, unsigned first, unsigned parent, bool together,
          unsigned counters[2])
{
    for (unsigned k = first; k; k = p->node[k].next) {
        p->node[k].parent = (uint16_t)parent;
        if (!link_node(p, k, together, counters))
            return false;
        /* Threads may have ended: the rest has only some. */
        if (together && program_has(p, k, ESCAPE) && place_meet(p, k).node != k)
            together = false;
    }
    return true;
}

bool
program_link(struct program *p)
{
    unsigned counters[2] = { 0, 0 };
    for (unsigned f = 0; f < FUNCTIONS; f++) {
        unsigned root = p->function[f];
        if (root && !link_list(p, p->node[root].body, root, f == 0, counters))
            return false;
    }
    return counters[0] <= LOOPS_MAX && counters[1] <= UNIFORM_LOOPS_MAX;
}

/* ---- */

void
table_fill(uint32_t table[TABLE_WORDS], uint64_t seed)
{
    static const uint32_t corners[] = { 0,          1,          0xffffffff,
                                        0x7fffffff, 0x80000000, 31,
                                        0x3f800000, 0x7f7fffff, 0x7f800000,
                                        0x7fc00000, 0x00000001, 0xbf000000 };
    struct dice d = { seed ^ UINT64_C(0x7461626c65) };
    for (unsigned i = 0; i < TABLE_WORDS; i++) {
        unsigned kind = dice(&d, 8);
        uint32_t word = dice_word(&d);
        table[i] = kind < 2 ? word % 16 : kind < 3 ? corners[word % 12] : word;
    }
}
