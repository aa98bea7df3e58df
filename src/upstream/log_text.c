/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The changes by one instruction, as upstream's commit log writes them.
 *
 * Upstream collects writes in a std::unordered_map and prints them in its order:
 * newest first, except that a write precedes the others of its bucket.  Starting a
 * warp writes more than 13 CSRs, so there are 29 buckets.
 */
#include <assert.h>
#include <string.h>

#include "upstream/log.h"

enum { KEY_X = 0, KEY_V = 2, KEY_VECTOR = 3, KEY_CSR = 4 };
enum { BUCKETS = 29, WRITES = 24 };

struct write {
    unsigned kind, number; /* kind KEY_*; register or CSR */
    uint32_t value;
};

struct writes {
    struct write at[WRITES];
    unsigned n;
};

static unsigned
bucket_of(const struct write *w)
{
    return (w->number << 4 | w->kind) % BUCKETS;
}

static void
add_write(struct writes *list, unsigned kind, unsigned number, uint32_t value)
{
    struct write w = { kind, number, value };
    unsigned i = 0;
    if (list->n == WRITES)
        return;
    for (unsigned k = 0; k < list->n; k++)
        if (bucket_of(&list->at[k]) == bucket_of(&w)) {
            i = k;
            break;
        }
    assert(i <= list->n && list->n < WRITES &&
           "a step writes at most WRITES values");
    memmove(&list->at[i + 1], &list->at[i], (list->n - i) * sizeof w);
    list->at[i] = w;
    list->n++;
}

void
log_state_reset(struct log_state *s)
{
    memset(s, 0, sizeof *s);
    s->mstatus = 1u << 9; /* VS: initial */
}

/* ---- writes in upstream's order ---- */

static bool
is_op(const struct ventus_sim_step *st, enum ventus_isa_op op)
{
    return st->in->op == op;
}

/* The register of this kind that the instruction writes; -1: none. */
static int
written_register(const struct ventus_isa_insn *in, enum ventus_isa_kind kind)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    for (unsigned i = 0; i < f->fields; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        if (field->out && field->kind == kind)
            return in->reg[field->member];
    }
    return -1;
}

static bool
has_vector(const struct ventus_isa_insn *in)
{
    if (in->op == VENTUS_ISA_JOIN)
        return false; /* fields of registers have another meaning */
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    for (unsigned i = 0; i < f->fields; i++)
        if (ventus_isa_fields[f->field[i]].kind == VENTUS_ISA_KIND_V)
            return true;
    return false;
}

/* The legal value of mstatus, which records whether vectors were used; FS is off or
 * dirty. */
static uint32_t
legal_mstatus(uint32_t x)
{
    if (x & 3u << 13)
        x |= 3u << 13;
    return (x & 3u << 13) == 3u << 13 || (x & 3u << 9) == 3u << 9
               ? x | 1u << 31
               : x & ~(1u << 31);
}

static void
dirty_vectors(struct log_state *s, struct writes *w)
{
    uint32_t now = legal_mstatus(s->mstatus | 3u << 9);
    if (now != s->mstatus)
        add_write(w, KEY_CSR, VENTUS_ISA_CSR_MSTATUS, now);
    s->mstatus = now;
}

/* The value of a CSR after the instruction. */
static uint32_t
csr_value(struct log_state *s, const struct ventus_sim_step *st, uint32_t old)
{
    const struct ventus_isa_insn *in = st->in;
    bool immediate = is_op(st, VENTUS_ISA_CSRRWI) ||
                     is_op(st, VENTUS_ISA_CSRRSI) ||
                     is_op(st, VENTUS_ISA_CSRRCI);
    uint32_t source = immediate ? (uint32_t)in->imm : s->x[in->reg[1] & 63];
    if (is_op(st, VENTUS_ISA_CSRRS) || is_op(st, VENTUS_ISA_CSRRSI))
        source = old | source;
    else if (is_op(st, VENTUS_ISA_CSRRC) || is_op(st, VENTUS_ISA_CSRRCI))
        source = old & ~source;
    if (in->aux == VENTUS_ISA_CSR_MSTATUS)
        s->mstatus = source = legal_mstatus(source);
    return source;
}

static bool
writes_csr(const struct ventus_sim_step *st)
{
    const struct ventus_isa_insn *in = st->in;
    if (is_op(st, VENTUS_ISA_CSRRW) || is_op(st, VENTUS_ISA_CSRRWI))
        return true;
    if (is_op(st, VENTUS_ISA_CSRRS) || is_op(st, VENTUS_ISA_CSRRC))
        return in->reg[1] != 0;
    return (is_op(st, VENTUS_ISA_CSRRSI) || is_op(st, VENTUS_ISA_CSRRCI)) &&
           in->imm;
}

static void
collect_csr(struct log_state *s, const struct ventus_sim_step *st,
            struct writes *w)
{
    if (is_op(st, VENTUS_ISA_VSETVLI) || is_op(st, VENTUS_ISA_VSETIVLI) ||
        is_op(st, VENTUS_ISA_VSETVL)) {
        dirty_vectors(s, w);
        add_write(w, KEY_CSR, VENTUS_ISA_CSR_VTYPE, st->vtype);
        add_write(w, KEY_CSR, VENTUS_ISA_CSR_VL, st->vl);
        add_write(w, KEY_CSR, VENTUS_ISA_CSR_VSTART, 0);
    } else if (is_op(st, VENTUS_ISA_SETRPC)) {
        add_write(w, KEY_CSR, VENTUS_ISA_CSR_RPC, st->rpc);
    } else if (writes_csr(st)) {
        uint32_t old = st->in->reg[0] ? st->x[st->in->reg[0] & 63] : 0;
        if (st->in->aux == VENTUS_ISA_CSR_MSTATUS)
            old = s->mstatus;
        add_write(w, KEY_CSR, st->in->aux, csr_value(s, st, old));
    }
}

static void
collect_vector(struct log_state *s, const struct ventus_sim_step *st,
               struct writes *w)
{
    const struct ventus_isa_info *info = &ventus_isa_info[st->in->op];
    int vd = written_register(st->in, VENTUS_ISA_KIND_V);
    bool load = (info->flags & VENTUS_ISA_F_LOAD) != 0;
    /* Stores to private memory are not marked as vector code. */
    if (!((info->flags & VENTUS_ISA_F_STORE) &&
          (info->flags & VENTUS_ISA_F_PRIVATE)))
        add_write(w, KEY_VECTOR, 0, 0);
    dirty_vectors(s, w);
    if (load)
        add_write(w, KEY_CSR, VENTUS_ISA_CSR_VSTART, 0);
    if (vd >= 0)
        add_write(w, KEY_V, (unsigned)vd, 0);
    if (st->fflags_raised)
        add_write(w, KEY_CSR, VENTUS_ISA_CSR_FFLAGS, st->fflags);
    if (!load)
        add_write(w, KEY_CSR, VENTUS_ISA_CSR_VSTART, 0);
}

/* ---- text ---- */

static void
put_writes(struct buf *line, const struct writes *w,
           const struct ventus_sim_step *st)
{
    bool shown = false;
    for (unsigned i = 0; i < w->n; i++) {
        const struct write *a = &w->at[i];
        bool vector = a->kind == KEY_V || a->kind == KEY_VECTOR;
        if (vector && !shown) {
            unsigned sew = 8u << (st->vtype >> 3 & 7);
            buf_printf(line, " e%u m%u l%u", sew, 1u << (st->vtype & 3),
                       st->vl);
            shown = true;
        }
        if (a->kind == KEY_X && a->number)
            buf_printf(line, " x%-2u 0x%08x", a->number, a->value);
        if (a->kind == KEY_CSR)
            buf_printf(line, " c%u_%s 0x%08x", a->number,
                       ventus_isa_csr_by_number(a->number)
                           ? ventus_isa_csr_by_number(a->number)->name
                           : "unknown",
                       a->value);
        if (a->kind != KEY_V)
            continue;
        const uint32_t *v = &st->v[(size_t)a->number * st->stride];
        buf_printf(line, " v%-2u %08llx 0x", a->number,
                   (unsigned long long)st->next_mask);
        for (unsigned lane = st->num_thread; lane-- > 0;)
            buf_printf(line, "%08x ", v[lane]);
    }
}

static void
put_value(struct buf *line, uint32_t value, unsigned bytes)
{
    static const int digits[] = { [1] = 1, [2] = 4, [4] = 8 };
    assert(bytes == 1 || bytes == 2 || bytes == 4);
    if (bytes < 4)
        value &= (UINT32_C(1) << 8 * bytes) - 1;
    buf_printf(line, " 0x%0*x", digits[bytes], value);
}

/* Appends consecutive registers, the highest first; upstream has at most 64 bits. */
static void
put_words(struct buf *line, const struct ventus_sim_step *st, unsigned r,
          unsigned lane)
{
    assert(st->access_B % 4 == 0 &&
           "accesses of several words are whole words");
    buf_printf(line, " 0x");
    for (unsigned i = st->access_B / 4; i-- > 0;)
        buf_printf(line, "%08x",
                   st->scalar_access ? st->x[(r + i) & 63]
                                     : st->v[(r + i) * st->stride + lane]);
}

/* The register of a store's data. */
static unsigned
store_source(const struct ventus_isa_insn *in)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[in->op].format];
    for (unsigned i = 0; i < f->fields; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        /* Standard vector stores have their data in the field of vd. */
        if (field->kind == VENTUS_ISA_KIND_V &&
            field->member == VENTUS_ISA_MEMBER_D)
            return in->reg[VENTUS_ISA_SLOT_D];
    }
    return in->reg[VENTUS_ISA_SLOT_2];
}

static void
put_lane(struct buf *line, const struct ventus_sim_step *st, unsigned lane,
         bool load)
{
    assert(st->scalar_access ? !lane : lane < st->num_thread);
    buf_printf(line, " mem 0x%08llx", (unsigned long long)st->addresses[lane]);
    if (load)
        return;
    unsigned r = store_source(st->in);
    if (st->access_B > 4)
        put_words(line, st, r, lane);
    else
        put_value(line,
                  st->scalar_access ? st->x[r & 63]
                                    : st->v[r * st->stride + lane],
                  st->access_B);
}

static void
put_accesses(struct buf *line, const struct ventus_sim_step *st, bool load)
{
    if (st->scalar_access) {
        put_lane(line, st, 0, load);
        return;
    }
    for (unsigned lane = 0; lane < st->num_thread; lane++)
        if (st->exec >> lane & 1)
            put_lane(line, st, lane, load);
}

/* ---- SIMT stack ---- */

static bool
is_thread_branch(const struct ventus_isa_insn *in)
{
    return in->op == VENTUS_ISA_VBEQ || in->op == VENTUS_ISA_VBNE ||
           in->op == VENTUS_ISA_VBLT || in->op == VENTUS_ISA_VBGE ||
           in->op == VENTUS_ISA_VBLTU || in->op == VENTUS_ISA_VBGEU;
}

static void
push_stack(struct log_state *s, uint32_t rpc, uint32_t pc, uint64_t mask)
{
    if (s->depth < LOG_STACK)
        s->stack[s->depth++] = (struct log_entry){ rpc, pc, mask };
}

/* Updates the SIMT stack to its state after the step; see semantics.md, SIMT stack. */
static void
follow_stack(struct log_state *s, const struct ventus_sim_step *st)
{
    assert(s->depth <= LOG_STACK);
    uint32_t npc = (uint32_t)st->next_pc;
    if (is_thread_branch(st->in)) {
        uint64_t other = st->mask & ~st->next_mask;
        uint32_t target = (uint32_t)(st->pc + (uint64_t)(int64_t)st->in->imm);
        if (other) {
            uint32_t waits = npc == target ? (uint32_t)st->pc + 4 : target;
            push_stack(s, st->rpc, st->rpc, st->mask);
            push_stack(s, st->rpc, waits, other);
        }
        s->npc = npc;
    } else if (is_op(st, VENTUS_ISA_JOIN) && s->depth > st->stack) {
        s->depth = st->stack;
        s->npc = npc;
    }
}

static void
put_stack(struct buf *line, const struct log_state *s,
          const struct ventus_sim_step *st)
{
    buf_printf(line, " current mask:\t%08llx current npc:\t%08x stack size: %x",
               (unsigned long long)st->next_mask, s->npc, s->depth);
    for (unsigned i = s->depth; i-- > 0;)
        buf_printf(line, "\n[r_pc] %08x [else_pc] %08x [else_mask] %08llx ",
                   s->stack[i].rpc, s->stack[i].pc,
                   (unsigned long long)s->stack[i].mask);
}

void
log_text(struct buf *line, struct log_state *s,
         const struct ventus_sim_step *st)
{
    const struct ventus_isa_info *info = &ventus_isa_info[st->in->op];
    struct writes w = { .n = 0 };
    int xd = written_register(st->in, VENTUS_ISA_KIND_X);
    if (has_vector(st->in))
        collect_vector(s, st, &w);
    else
        collect_csr(s, st, &w);
    if (xd >= 0)
        add_write(&w, KEY_X, (unsigned)xd, st->x[xd & 63]);
    put_writes(line, &w, st);
    follow_stack(s, st);
    /* The stack is shown for the whole opcode of branches, join and setrpc. */
    if ((st->words[st->in->prefix ? 1 : 0] & 0x7f) == 0x5b)
        put_stack(line, s, st);
    if (st->access_B && (info->flags & VENTUS_ISA_F_LOAD))
        put_accesses(line, st, true);
    if (st->access_B && (info->flags & VENTUS_ISA_F_STORE))
        put_accesses(line, st, false);
    buf_printf(line, "\n");
    memcpy(s->x, st->x, sizeof s->x);
    s->fflags = st->fflags;
}
