/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program as assembly.  Every thread branch has its setrpc before it, and a
 * join is where a setrpc points to and nowhere else.
 */
#include "program.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    TMP = 5, /* x5, x7: scalars in between; x6 is setrpc's */
    TMP2 = 7,
    SAVED = 24,         /* x24 and up: return addresses, one a function */
    UNIFORM_COUNT = 28, /* x28 and up: uniform loops */
    U = 18,
    ORDER_X = 22,
    V_ID = 1, /* in the workgroup */
    V_OWN = 2,
    V_LOCAL = 3,
    V_TMP = 4,
    V_TMP2 = 5,
    V_OLD = 6,
    V_ZERO = 7,
    V_COUNT = 16 /* v16 and up: loops */
};

struct text {
    const struct program *p;
    FILE *out;
    bool meets[NODES_MAX][JOIN + 1]; /* a branch reconverges here */
};

static const char *const width_names[] = { "w", "h", "hu", "b", "bu" };
static const char *const store_names[] = { "w", "h", "h", "b", "b" };

__attribute__((format(printf, 2, 3))) static void
line(struct text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("    ", t->out);
    vfprintf(t->out, format, list);
    fputc('\n', t->out);
    va_end(list);
}

static unsigned
var(const struct text *t, unsigned k)
{
    return t->p->vreg[k];
}

static void
label(struct text *t, const char *kind, unsigned node)
{
    fprintf(t->out, "%s%u:\n", kind, node);
}

static const char *
place_name(struct place at)
{
    return at.phase == LATCH ? "latch" : "join";
}

static void
emit_place(struct text *t, unsigned node, enum phase phase)
{
    label(t, place_name((struct place){ 0, (uint8_t)phase }), node);
    if (t->meets[node][phase])
        line(t, "join");
}

/* ---- statements ---- */

static void
emit_arith(struct text *t, const struct node *n)
{
    static const char *const forms[] = { "vv", "vx", "vx", "vi" };
    const struct arith_info *info = &arith_info[n->op];
    const char *form =
        info->floats && n->form != FORM_VV ? "vf" : forms[n->form];
    const char *mask = n->masked ? ", v0.t" : info->takes_v0 ? ", v0" : "";
    char b[32];
    if (n->form == FORM_VX)
        line(t, "li x%d, %d", TMP, (int32_t)n->imm);
    if (n->form == FORM_VV)
        snprintf(b, sizeof b, "v%u", var(t, n->b));
    else if (n->form == FORM_VI)
        snprintf(b, sizeof b, "%d", (int32_t)n->imm);
    else
        snprintf(b, sizeof b, "x%d", n->form == FORM_VX ? TMP : U + n->b);
    if (n->op == OP_MV)
        line(t, "vmv.v.%c v%u, %s", form[1], var(t, n->d), b);
    else if (info->accumulates)
        line(t, "%s.%s v%u, %s, v%u%s", info->name, form, var(t, n->d), b,
             var(t, n->a), mask);
    else
        line(t, "%s.%s%s v%u, v%u, %s%s", info->name, form,
             info->takes_v0 ? "m" : "", var(t, n->d), var(t, n->a), b, mask);
}

static unsigned
bytes_of(unsigned width)
{
    return width == WIDTH_W ? 4 : width == WIDTH_H || width == WIDTH_HU ? 2 : 1;
}

/* V_TMP = which element, of as many as there are, variable k chooses. */
static void
emit_choice(struct text *t, unsigned k, unsigned size_B, unsigned width)
{
    unsigned bytes = bytes_of(width);
    line(t, "li x%d, %u", TMP, size_B / bytes - 1);
    line(t, "vand.vx v%d, v%u, x%d", V_TMP, var(t, k), TMP);
    if (bytes > 1)
        line(t, "vsll.vi v%d, v%d, %u", V_TMP, V_TMP, bytes / 2);
}

static void
emit_load_table(struct text *t, const struct node *n)
{
    const char *mask = n->masked ? ", v0.t" : "";
    if (n->kind == LOAD_STRIDE) {
        line(t, "addi x%d, x16, %u", TMP2, n->imm);
        line(t, "li x%d, %u", TMP, n->b);
        line(t, "vlse32.v v%u, (x%d), x%d%s", var(t, n->d), TMP2, TMP, mask);
        return;
    }
    emit_choice(t, n->a, 4 * TABLE_WORDS, n->op);
    if (n->form) {
        line(t, "vluxei32.v v%u, (x16), v%d%s", var(t, n->d), V_TMP, mask);
        return;
    }
    line(t, "vadd.vx v%d, v%d, x16", V_TMP, V_TMP);
    line(t, "vl%s12.v v%u, 0(v%d)", width_names[n->op], var(t, n->d), V_TMP);
}

static void
emit_atomic(struct text *t, const struct node *n)
{
    static const char *const names[] = { "swap", "add", "xor",  "and", "or",
                                         "min",  "max", "minu", "maxu" };
    if (n->kind == ATOMIC) {
        line(t, "vadd12.vi v%d, v%d, %d", V_TMP, V_OWN, THREAD_ATOMIC);
        line(t, "amo%s.w v%u, v%u, (v%d)", names[n->op], var(t, n->d),
             var(t, n->a), V_TMP);
        return;
    }
    line(t, "addi x%d, x15, %u", TMP, 4 * n->imm);
    line(t, "vmv.v.x v%d, x%d", V_TMP, TMP);
    line(t, "amoadd.w v%d, v%u, (v%d)", V_OLD, var(t, n->a), V_TMP);
}

static void
emit_memory(struct text *t, const struct node *n)
{
    const char *mask = n->masked ? ", v0.t" : "";
    unsigned base =
        n->kind == SLOT_STORE || n->kind == SLOT_LOAD ? V_OWN : V_LOCAL;
    switch ((int)n->kind) {
    case LOAD_TABLE:
    case LOAD_STRIDE:
        emit_load_table(t, n);
        break;
    case SLOT_STORE:
    case LOCAL_STORE:
        line(t, "vs%s12.v v%u, %u(v%u)", store_names[n->op], var(t, n->a),
             n->imm, base);
        break;
    case SLOT_LOAD:
    case LOCAL_LOAD:
        line(t, "vl%s12.v v%u, %u(v%u)", width_names[n->op], var(t, n->d),
             n->imm, base);
        break;
    case PRIVATE_STORE:
        emit_choice(t, n->b, PRIVATE_B, n->op);
        line(t, "vs%s.v v%u, 0(v%d)", store_names[n->op], var(t, n->a), V_TMP);
        break;
    case PRIVATE_LOAD:
        emit_choice(t, n->b, PRIVATE_B, n->op);
        line(t, "vl%s.v v%u, 0(v%d)", width_names[n->op], var(t, n->d), V_TMP);
        break;
    case ROW_STORE:
        line(t, "vse32.v v%u, (x14)%s", var(t, n->a), mask);
        break;
    case ROW_LOAD:
        line(t, "vle32.v v%u, (x14)%s", var(t, n->d), mask);
        break;
    default:
        emit_atomic(t, n);
    }
}

static void
emit_scalar(struct text *t, const struct node *n)
{
    static const char *const names[ARITHS] = { [OP_ADD] = "add",
                                               [OP_SUB] = "sub",
                                               [OP_XOR] = "xor",
                                               [OP_MUL] = "mul",
                                               [OP_SRL] = "srl" };
    static const char *const reads[] = { NULL, "vcpop.m", "vfirst.m",
                                         "vmv.x.s" };
    if (n->kind == UNIFORM) {
        line(t, "li x%d, %d", TMP, (int32_t)n->imm);
        line(t, "%s x%d, x%d, x%d", names[n->op], U + n->d, U + n->a, TMP);
        return;
    }
    if (n->op == ORDER_STEP)
        line(t, "li x%d, %d", TMP2, (int32_t)n->imm);
    else
        line(t, "%s x%d, v%u", reads[n->op], TMP2, var(t, n->a));
    line(t, "li x%d, 31", TMP);
    line(t, "mul x%d, x%d, x%d", ORDER_X + n->d, ORDER_X + n->d, TMP);
    line(t, "add x%d, x%d, x%d", ORDER_X + n->d, ORDER_X + n->d, TMP2);
}

static void
emit_exchange(struct text *t, const struct node *n)
{
    line(t, "vsw12.v v%u, 0(v%d)", var(t, n->a), V_LOCAL);
    line(t, "barrier %u", n->b);
    line(t, "li x%d, %u", TMP, n->imm);
    line(t, "vadd.vx v%d, v%d, x%d", V_TMP, V_ID, TMP);
    line(t, "vremu.vx v%d, v%d, x12", V_TMP, V_TMP);
    line(t, "vsll.vi v%d, v%d, 2", V_TMP, V_TMP);
    line(t, "vadd.vx v%d, v%d, x13", V_TMP, V_TMP);
    line(t, "vlw12.v v%u, 0(v%d)", var(t, n->d), V_TMP);
    line(t, "barrier %u", n->b);
}

/* ---- control ---- */

static void
emit_list(struct text *t, unsigned first);

/* The branch of `node`: its taken side begins at the label. */
static void
emit_branch(struct text *t, unsigned node, const char *how, const char *to)
{
    struct place meet = place_meet(t->p, node);
    line(t, "setrpc %s%u", place_name(meet), meet.node);
    if (!t->p->far) {
        line(t, "%s, %s%u", how, to, node);
        return;
    }
    line(t, "%s, 1f", how);
    line(t, "j 2f");
    fputs("1:\n", t->out);
    line(t, "j %s%u", to, node);
    fputs("2:\n", t->out);
}

static void
emit_if(struct text *t, unsigned node)
{
    static const char *const names[] = { "eq", "ne", "lt", "ge", "ltu", "geu" };
    const struct node *n = &t->p->node[node];
    unsigned a = var(t, n->a), b = var(t, n->b);
    char how[40];
    if (n->imm != UINT32_MAX) {
        line(t, "li x%d, %d", TMP, (int32_t)n->imm);
        line(t, "vand.vx v%d, v%u, x%d", V_TMP, a, TMP);
        line(t, "vand.vx v%d, v%u, x%d", V_TMP2, b, TMP);
        a = V_TMP;
        b = V_TMP2;
    }
    snprintf(how, sizeof how, "vb%s v%u, v%u", names[n->op], a, b);
    emit_branch(t, node, how, "else");
    emit_list(t, n->body);
    if (n->other)
        line(t, "j join%u", node);
    label(t, "else", node);
    emit_list(t, n->other);
    emit_place(t, node, JOIN);
}

static void
emit_loop(struct text *t, unsigned node)
{
    const struct node *n = &t->p->node[node];
    unsigned count = V_COUNT + n->counter;
    char how[40];
    snprintf(how, sizeof how, "vb%s v%u, v%d", n->tested_first ? "eq" : "ne",
             count, V_ZERO);
    line(t, "vand.vi v%u, v%u, 3", count, var(t, n->a));
    line(t, "vadd.vi v%u, v%u, %u", count, count, n->imm);
    label(t, "head", node);
    if (n->tested_first)
        emit_branch(t, node, how, "join");
    emit_list(t, n->body);
    emit_place(t, node, LATCH);
    line(t, "vadd.vi v%u, v%u, -1", count, count);
    if (n->tested_first)
        line(t, "j head%u", node);
    else
        emit_branch(t, node, how, "head");
    emit_place(t, node, JOIN);
}

static void
emit_uniform_loop(struct text *t, unsigned node)
{
    const struct node *n = &t->p->node[node];
    unsigned count = UNIFORM_COUNT + n->counter;
    line(t, "li x%u, %u", count, n->imm);
    if (n->form) {
        line(t, "andi x%d, x%d, %d", TMP, n->form == 1 ? 9 : U + n->a,
             n->form == 1 ? 1 : 3);
        line(t, "add x%u, x%u, x%d", count, count, TMP);
    }
    label(t, "head", node);
    emit_list(t, n->body);
    emit_place(t, node, LATCH);
    line(t, "addi x%u, x%u, -1", count, count);
    line(t, "beqz x%u, join%u", count, node);
    line(t, "j head%u", node);
    emit_place(t, node, JOIN);
}

/* vl, and the number of lanes of the machine again. */
static void
emit_length(struct text *t, unsigned node)
{
    const struct node *n = &t->p->node[node];
    line(t, "li x%d, %u", TMP, n->imm);
    line(t, "vsetvli x0, x%d, e32, m1, ta, ma", TMP);
    emit_list(t, n->body);
    emit_place(t, node, JOIN);
    line(t, "li x%d, %u", TMP, t->p->at.lanes);
    line(t, "vsetvli x0, x%d, e32, m1, ta, ma", TMP);
}

static void
emit_call(struct text *t, const struct node *n)
{
    if (!n->form) {
        line(t, "jal f%u", n->target);
        return;
    }
    line(t, "la x%d, f%u", TMP2, n->target);
    line(t, "jalr x1, 0(x%d)", TMP2);
}

static void
emit_node(struct text *t, unsigned node)
{
    const struct node *n = &t->p->node[node];
    switch ((enum kind)n->kind) {
    case ARITH:
        emit_arith(t, n);
        break;
    case UNIFORM:
    case ORDER:
        emit_scalar(t, n);
        break;
    case BARRIER:
        line(t, "barrier %u", n->b);
        break;
    case EXCHANGE:
        emit_exchange(t, n);
        break;
    case END_WARP:
        line(t, "li x%d, %u", TMP, n->imm);
        line(t, "bne x10, x%d, 1f", TMP);
        line(t, "j join1");
        fputs("1:\n", t->out);
        break;
    case IF:
        emit_if(t, node);
        break;
    case LOOP:
        emit_loop(t, node);
        break;
    case UNIFORM_LOOP:
        emit_uniform_loop(t, node);
        break;
    case LENGTH:
        emit_length(t, node);
        break;
    case ESCAPE:
        line(t, "j %s%u", place_name((struct place){ 0, n->phase }), n->target);
        break;
    case CALL:
        emit_call(t, n);
        break;
    default:
        emit_memory(t, n);
    }
}

static void
emit_list(struct text *t, unsigned first)
{
    for (unsigned k = first; k; k = t->p->node[k].next)
        emit_node(t, k);
}

/* ---- the whole ---- */

/* base + v[id] * size, by way of x5. */
static void
emit_scaled(struct text *t, unsigned d, unsigned id, unsigned size,
            unsigned base)
{
    line(t, "li x%d, %u", TMP, size);
    line(t, "vmul.vx v%u, v%u, x%d", d, id, TMP);
    line(t, "vadd.vx v%u, v%u, x%u", d, d, base);
}

/* What a warp needs of addresses and numbers. */
static void
emit_scalars(struct text *t)
{
    const struct geometry *g = &t->p->at;
    struct layout l = layout_of(g);
    line(t, "csrr x8, tid");
    line(t, "csrr x9, wgid");
    line(t, "csrr x10, wid");
    line(t, "csrr x13, lds");
    line(t, "li x16, 0x%x", (unsigned)TABLE);
    line(t, "li x%d, %u", TMP, g->threads); /* threads of the workgroup */
    line(t, "mul x%d, x9, x%d", TMP2, TMP);
    line(t, "li x12, %u", g->items);
    line(t, "sub x12, x12, x%d", TMP2);
    line(t, "bltu x12, x%d, 1f", TMP);
    line(t, "mv x12, x%d", TMP);
    fputs("1:\n", t->out);
    line(t, "li x%d, %u", TMP, g->warps); /* the row of the warp */
    line(t, "mul x14, x9, x%d", TMP);
    line(t, "add x14, x14, x10");
    line(t, "li x%d, %d", TMP, WARP_B);
    line(t, "mul x14, x14, x%d", TMP);
    line(t, "li x%d, 0x%x", TMP, DATA + l.warps);
    line(t, "add x14, x14, x%d", TMP);
    line(t, "li x15, 0x%x", DATA + l.groups); /* counters */
    line(t, "slli x%d, x9, 5", TMP);
    line(t, "add x15, x15, x%d", TMP);
    line(t, "mv x%d, x10", U);
    line(t, "mv x%d, x9", U + 1);
    line(t, "li x%d, %d", U + 2, (int32_t)t->p->seed);
    line(t, "slli x%d, x10, 2", TMP);
    line(t, "add x%d, x%d, x16", TMP, TMP);
    line(t, "lw x%d, 0(x%d)", U + 3, TMP);
}

static void
emit_begin(struct text *t)
{
    const struct geometry *g = &t->p->at;
    emit_scalars(t);
    line(t, "vid.v v%d", V_ID);
    line(t, "vadd.vx v%d, v%d, x8", V_ID, V_ID);
    line(t, "li x%d, %u", TMP, g->warps * g->lanes);
    line(t, "mul x%d, x%d, x9", TMP, TMP);
    line(t, "vadd.vx v%d, v%d, x%d", V_TMP, V_ID, TMP); /* its place */
    line(t, "li x%d, 0x%x", TMP2, (unsigned)DATA);
    emit_scaled(t, V_OWN, V_TMP, THREAD_B, TMP2);
    emit_scaled(t, V_LOCAL, V_ID, 4, 13);
    line(t, "vsw12.v v%d, 0(v%d)", V_ZERO, V_LOCAL);
    line(t, "li x%d, %u", TMP, g->threads);
    line(t, "mul x%d, x%d, x9", TMP, TMP);
    line(t, "vadd.vx v%d, v%d, x%d", V_TMP2, V_ID, TMP); /* global number */
    for (unsigned k = 0; k < VARS; k++) {
        line(t, "li x%d, %u", TMP2, 67 * k);
        emit_scaled(t, V_TMP, V_TMP2, 2 * k + 1, TMP2);
        line(t, "li x%d, %d", TMP, TABLE_WORDS - 1);
        line(t, "vand.vx v%d, v%d, x%d", V_TMP, V_TMP, TMP);
        line(t, "vsll.vi v%d, v%d, 2", V_TMP, V_TMP);
        line(t, "vluxei32.v v%u, (x16), v%d", var(t, k), V_TMP);
    }
    if (program_has(t->p, 1, EXCHANGE))
        line(t, "barrier");
}

static void
emit_end(struct text *t)
{
    emit_place(t, 1, JOIN);
    for (unsigned k = 0; k < VARS; k++)
        line(t, "vsw12.v v%u, %u(v%d)", var(t, k), THREAD_VARS + 4 * k, V_OWN);
    for (unsigned k = 0; k < ORDERS; k++)
        line(t, "sw x%d, %u(x14)", ORDER_X + k, WARP_ORDERS + 4 * k);
    for (unsigned k = 0; k < UNIFORMS; k++)
        line(t, "sw x%d, %u(x14)", U + k, WARP_UNIFORMS + 4 * k);
    line(t, "endprg");
}

static void
emit_function(struct text *t, unsigned f)
{
    unsigned root = t->p->function[f];
    label(t, "f", f);
    line(t, "mv x%u, x1", SAVED + f);
    emit_list(t, t->p->node[root].body);
    emit_place(t, root, JOIN);
    line(t, "mv x1, x%u", SAVED + f);
    line(t, "ret");
}

/* Where branches of the tree below a node reconverge. */
static void
find_meets(struct text *t, unsigned node)
{
    const struct node *n = &t->p->node[node];
    if (n->kind == IF || n->kind == LOOP) {
        struct place meet = place_meet(t->p, node);
        t->meets[meet.node][meet.phase] = true;
    }
    const uint16_t first[] = { n->body, n->other };
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = first[i]; k; k = t->p->node[k].next)
            find_meets(t, k);
}

char *
emit(const struct program *p)
{
    char *text = NULL;
    size_t size;
    struct text t = { .p = p, .out = open_memstream(&text, &size) };
    for (unsigned f = 0; f < FUNCTIONS; f++)
        if (p->function[f])
            find_meets(&t, p->function[f]);
    emit_begin(&t);
    line(&t, "# ---- begin");
    emit_list(&t, p->node[1].body);
    line(&t, "# ---- end");
    emit_end(&t);
    for (unsigned f = 1; f < FUNCTIONS; f++)
        if (p->function[f])
            emit_function(&t, f);
    fclose(t.out);
    return text;
}
