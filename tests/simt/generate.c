/* SPDX-License-Identifier: Apache-2.0 */
/* A program of a seed. */
#include "program.h"

#include <string.h>

struct maker {
    struct program *p;
    struct dice dice;
    unsigned budget, loops, uniform_loops, function;
    bool exchanges; /* and other statements that need the whole workgroup */
};

/* What may stand here. */
struct here {
    unsigned depth;
    bool together; /* all lanes of all warps that have not ended */
    bool ends;     /* threads may end */
    bool returns;
    unsigned n_loops;
    struct place loop[16]; /* to continue with; their JOIN, if divergent */
};

static unsigned
make_node(struct maker *m, enum kind kind)
{
    struct program *p = m->p;
    unsigned k = p->n++;
    struct node *n = &p->node[k];
    *n = (struct node){ .kind = (uint8_t)kind };
    n->d = (uint8_t)dice(&m->dice, VARS);
    n->a = (uint8_t)dice(&m->dice, VARS);
    n->b = (uint8_t)dice(&m->dice, VARS);
    m->budget -= m->budget > 0;
    return k;
}

static unsigned
make_list(struct maker *m, struct here here, unsigned most);

/* ---- statements without others in them ---- */

static void
choose_imm(struct maker *m, struct node *n)
{
    const struct arith_info *info = &arith_info[n->op];
    uint32_t word = dice_word(&m->dice);
    if (n->form == FORM_VX)
        n->imm = dice(&m->dice, 2) ? word : (uint32_t)((int32_t)word >> 26);
    else if (info->always && n->op != OP_MV)
        n->imm = word % 4096;
    else
        n->imm = info->shifts ? word % 32 : (uint32_t)((int32_t)word >> 27);
}

static void
make_arith(struct maker *m, struct node *n)
{
    n->op = (uint8_t)dice(&m->dice, ARITHS);
    const struct arith_info *info = &arith_info[n->op];
    do {
        n->form = (uint8_t)dice(&m->dice, FORMS);
    } while (!(info->forms & (n->form == FORM_VV   ? VV
                              : n->form == FORM_VI ? VI
                                                   : VX)));
    if (n->form == FORM_VU)
        n->b = (uint8_t)dice(&m->dice, UNIFORMS);
    choose_imm(m, n);
    n->masked =
        !info->always && !info->takes_v0 && n->d && dice(&m->dice, 6) == 0;
}

static unsigned
width_B(unsigned width)
{
    return width == WIDTH_W ? 4 : width == WIDTH_H || width == WIDTH_HU ? 2 : 1;
}

static void
make_memory(struct maker *m, struct node *n)
{
    struct dice *d = &m->dice;
    n->op = (uint8_t)(dice(d, 2) ? WIDTH_W : dice(d, WIDTHS));
    switch ((int)n->kind) {
    case LOAD_TABLE:
        n->form = n->op == WIDTH_W && dice(d, 2);
        n->masked = n->form && n->d && dice(d, 4) == 0;
        break;
    case LOAD_STRIDE:
        n->imm = 4 * dice(d, 16);
        n->b = (uint8_t)(4 * dice(d, 16));
        n->masked = n->d && dice(d, 4) == 0;
        break;
    case SLOT_STORE:
    case SLOT_LOAD:
        n->imm = dice(d, SLOT_B / width_B(n->op)) * width_B(n->op);
        break;
    case LOCAL_STORE:
    case LOCAL_LOAD:
        n->imm = dice(d, 4 / width_B(n->op)) * width_B(n->op);
        break;
    case ROW_STORE:
    case ROW_LOAD:
        n->masked = n->d && dice(d, 3) == 0;
        break;
    case ATOMIC:
        n->op = (uint8_t)dice(d, AMOS);
        break;
    case ATOMIC_ADD:
        n->imm = dice(d, COUNTERS);
        break;
    }
}

static void
make_scalar(struct maker *m, struct node *n)
{
    static const uint8_t ops[] = { OP_ADD, OP_SUB, OP_XOR, OP_MUL, OP_SRL };
    if (n->kind == UNIFORM) {
        n->d %= UNIFORMS;
        n->a %= UNIFORMS;
        n->op = ops[dice(&m->dice, sizeof ops)];
        n->imm = n->op == OP_SRL ? dice(&m->dice, 32) : dice_word(&m->dice);
        return;
    }
    n->d %= ORDERS;
    n->op = (uint8_t)dice(&m->dice, ORDERS_OPS);
    n->imm = dice(&m->dice, 1000);
}

static unsigned
make_simple(struct maker *m, struct here here)
{
    static const uint8_t memory[] = { LOAD_TABLE,    LOAD_STRIDE,  SLOT_STORE,
                                      SLOT_LOAD,     LOCAL_STORE,  LOCAL_LOAD,
                                      PRIVATE_STORE, PRIVATE_LOAD, ROW_STORE,
                                      ROW_LOAD,      ATOMIC,       ATOMIC_ADD };
    unsigned kind = dice(&m->dice, 16);
    unsigned k = make_node(m, kind < 3   ? ORDER
                              : kind < 4 ? (here.together ? UNIFORM : ORDER)
                              : kind < 9 ? memory[dice(&m->dice, sizeof memory)]
                                         : ARITH);
    struct node *n = &m->p->node[k];
    if (n->kind == ARITH)
        make_arith(m, n);
    else if (n->kind == UNIFORM || n->kind == ORDER)
        make_scalar(m, n);
    else
        make_memory(m, n);
    return k;
}

/* ---- those with others in them ---- */

static unsigned
make_if(struct maker *m, struct here here)
{
    static const uint32_t masks[] = { 1, 3, 7, 0x1f, UINT32_MAX, UINT32_MAX };
    unsigned k = make_node(m, IF);
    struct node *n = &m->p->node[k];
    n->op = (uint8_t)dice(&m->dice, CMPS);
    n->imm = masks[dice(&m->dice, 6)];
    here.together = false;
    here.depth++;
    unsigned body = make_list(m, here, 4);
    unsigned other = dice(&m->dice, 2) ? make_list(m, here, 4) : 0;
    m->p->node[k].body = (uint16_t)body;
    m->p->node[k].other = (uint16_t)other;
    return k;
}

static unsigned
make_loop(struct maker *m, struct here here)
{
    unsigned k = make_node(m, LOOP);
    struct node *n = &m->p->node[k];
    n->tested_first = dice(&m->dice, 2);
    n->imm = dice(&m->dice, 3) + !n->tested_first;
    m->loops++;
    here.together = false;
    here.depth++;
    if (here.n_loops < 16)
        here.loop[here.n_loops++] = (struct place){ (uint16_t)k, JOIN };
    unsigned body = make_list(m, here, 5);
    m->p->node[k].body = (uint16_t)body;
    return k;
}

/* Nothing leads out of it: its counter is one for all lanes. */
static unsigned
make_uniform_loop(struct maker *m, struct here here)
{
    unsigned k = make_node(m, UNIFORM_LOOP);
    struct node *n = &m->p->node[k];
    n->imm = 1 + dice(&m->dice, 3);
    n->form = (uint8_t)dice(&m->dice, here.together ? 2 : 3);
    n->a %= UNIFORMS;
    m->uniform_loops++;
    here.depth++;
    here.ends = here.returns = false;
    here.n_loops = 1;
    here.loop[0] = (struct place){ (uint16_t)k, LATCH };
    unsigned body = make_list(m, here, 4);
    m->p->node[k].body = (uint16_t)body;
    return k;
}

/* Some of the lanes of the whole warp: with none, vl = 0 would do nothing. */
static unsigned
make_length(struct maker *m, struct here here)
{
    unsigned k = make_node(m, LENGTH);
    m->p->node[k].imm = 1 + dice(&m->dice, m->p->at.lanes);
    here = (struct here){ .depth = here.depth + 1 };
    unsigned body = make_list(m, here, 5);
    m->p->node[k].body = (uint16_t)body;
    return k;
}

/* Out of a loop, to its next round, out of the function, to the end. */
static unsigned
make_escape(struct maker *m, struct here here)
{
    unsigned kinds = here.n_loops + here.returns + here.ends;
    if (!kinds)
        return make_simple(m, here);
    unsigned k = make_node(m, ESCAPE), which = dice(&m->dice, kinds);
    struct node *n = &m->p->node[k];
    if (here.n_loops && dice(&m->dice, 2))
        which = here.n_loops - 1;
    n->target = m->p->function[m->function];
    n->phase = JOIN;
    if (which < here.n_loops) {
        n->target = here.loop[which].node;
        n->phase = here.loop[which].phase;
        if (n->phase == JOIN && dice(&m->dice, 2))
            n->phase = LATCH;
    }
    return k;
}

static unsigned
make_call(struct maker *m, struct here here)
{
    unsigned f = m->function + 1 + dice(&m->dice, FUNCTIONS);
    if (f >= FUNCTIONS || !m->p->function[f])
        return make_simple(m, here);
    unsigned k = make_node(m, CALL);
    m->p->node[k].target = (uint16_t)f;
    m->p->node[k].form = dice(&m->dice, 2);
    return k;
}

/* What needs the whole workgroup. */
static unsigned
make_group(struct maker *m, struct here here)
{
    static const uint8_t fences[] = { 0, 1, 2, 3, 9 };
    unsigned kind = dice(&m->dice, 8);
    if (kind < 3 && m->uniform_loops < UNIFORM_LOOPS_MAX)
        return make_uniform_loop(m, here);
    if (kind == 3 && dice(&m->dice, 2))
        return make_simple(m, here);
    unsigned k = make_node(m, kind == 3  ? END_WARP
                              : kind < 6 ? BARRIER
                                         : EXCHANGE);
    struct node *n = &m->p->node[k];
    n->b = fences[dice(&m->dice, sizeof fences)];
    n->imm = n->kind == END_WARP ? dice(&m->dice, m->p->at.warps)
                                 : dice(&m->dice, 70);
    return k;
}

static unsigned
make_statement(struct maker *m, struct here here)
{
    unsigned kind = dice(&m->dice, 20);
    if (here.together && m->exchanges && kind < 5)
        return make_group(m, here);
    if (here.together && kind == 5)
        return make_length(m, here);
    if (here.depth && kind < 3)
        return make_escape(m, here);
    if (kind < 5)
        return make_call(m, here);
    if (here.depth < 7 && m->budget > 4) {
        if (kind < 9)
            return make_if(m, here);
        if (kind < 11 && m->loops < LOOPS_MAX)
            return make_loop(m, here);
        if (kind < 12 && m->uniform_loops < UNIFORM_LOOPS_MAX && here.depth < 4)
            return make_uniform_loop(m, here);
    }
    return make_simple(m, here);
}

static unsigned
make_list(struct maker *m, struct here here, unsigned most)
{
    unsigned first = 0, last = 0, n = 1 + dice(&m->dice, most);
    for (unsigned i = 0; i < n && (m->budget || !i); i++) {
        unsigned k = make_statement(m, here);
        if (last)
            m->p->node[last].next = (uint16_t)k;
        else
            first = k;
        last = k;
        if (m->p->node[k].kind == ESCAPE)
            break;
        /* Some may have left for the next round. */
        if (here.n_loops && m->p->node[k].kind != UNIFORM_LOOP &&
            program_has(m->p, k, ESCAPE))
            here.together = false;
    }
    return first;
}

static void
make_function(struct maker *m, unsigned f, unsigned budget)
{
    struct here here = { .returns = f != 0, .together = f == 0 };
    m->function = f;
    m->budget = budget;
    if (f) {
        m->p->function[f] = (uint16_t)m->p->n;
        make_node(m, FUNCTION);
    }
    unsigned root = m->p->function[f];
    unsigned body = make_list(m, here, f ? 5 : 12), last = body;
    m->p->node[root].body = (uint16_t)body;
    if (f)
        return;
    /* Then a part in which threads end, one by one. */
    here = (struct here){ .ends = true };
    m->budget = budget / 2;
    while (m->p->node[last].next)
        last = m->p->node[last].next;
    m->p->node[last].next = (uint16_t)make_list(m, here, 8);
}

static void
choose_geometry(struct maker *m, unsigned lanes)
{
    struct geometry *g = &m->p->at;
    struct dice *d = &m->dice;
    g->lanes = lanes ? lanes : 4u << dice(d, 5);
    g->warps = 1 + dice(d, 4);
    g->threads = g->warps * g->lanes;
    if (dice(d, 2))
        g->threads -= dice(d, g->lanes);
    g->items = g->threads * (1 + dice(d, 4));
    if (dice(d, 3) == 0 && g->items > g->threads)
        g->items -= dice(d, g->threads);
}

static void
choose_registers(struct maker *m)
{
    bool used[256] = { false };
    for (unsigned k = 1; k < VARS; k++) {
        unsigned r;
        do {
            r = dice(&m->dice, 3) ? 8 + dice(&m->dice, 8)
                                  : 80 + dice(&m->dice, 176);
        } while (used[r]);
        used[r] = true;
        m->p->vreg[k] = (uint8_t)r;
    }
}

void
generate(struct program *p, uint64_t seed, unsigned lanes)
{
    struct maker m = { .p = p,
                       .dice = { seed * UINT64_C(0x9e3779b97f4a7c15) } };
    memset(p, 0, sizeof *p);
    p->seed = seed;
    p->n = 1;
    choose_geometry(&m, lanes);
    choose_registers(&m);
    m.exchanges = dice(&m.dice, 4);
    p->function[0] = (uint16_t)p->n;
    make_node(&m, FUNCTION);
    unsigned functions = dice(&m.dice, FUNCTIONS);
    for (unsigned f = functions; f > 0; f--)
        make_function(&m, f, 6 + dice(&m.dice, 24));
    make_function(&m, 0, 10 + dice(&m.dice, 120));
    p->far = p->n > 60 || dice(&m.dice, 8) == 0;
}
