/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For prefixed.c: the registers that a text shows, states of a machine, and
 * what one instruction does to them.
 */
#pragma once

#include <ctype.h>
#include <stddef.h>

#include "isa/hostfloat.h"
#include "machine.h"
#include "sim/step.h"

enum {
    LANES = 8,
    MEMORY = 2048,
    PLACES = 3, /* of memory: DATA, the same behind HIGH, local */
    KINDS = 10, /* of states */
    STATES = 6 * KINDS,
    PDS_SIZE = 256,
    REGS = 64 + 256 /* x0 ..., v0 ... */
};

#define HIGH UINT64_C(0x1200000000)

static const uint64_t places[PLACES] = { DATA, HIGH + DATA, SIM_LOCAL_BASE };

struct regs {
    bool in[REGS];
};

/* All that an instruction can change. */
struct outcome {
    struct sim_warp warp;
    uint32_t v[256][LANES];
    uint8_t memory[PLACES][MEMORY];
    struct ventus_sim_fault fault;
};

struct walk {
    enum ventus_isa_version version;
    bool scalar_amo;
    struct machine *m;
    struct sim_stepper *stepper;
    struct sim_warp *w;
    struct sim_code_page page;
    uint8_t *host[PLACES];
    struct sim_warp clean;

    struct ventus_isa_insn in;
    unsigned words;
    char text[VENTUS_ISA_TEXT_MAX];
    struct regs shown, addresses, high; /* of the text; bases; upper halves */
    struct outcome start, base, now;
    uint32_t seed;
    unsigned ran, refused, illegal, ignored;
};

static inline uint32_t
random32(struct walk *k)
{
    k->seed = k->seed * 1664525 + 1013904223;
    return k->seed ^ k->seed >> 15;
}

/* ---- what the text shows ---- */

static inline void
show(struct regs *set, char file, unsigned number)
{
    set->in[(file == 'v' ? 64 : 0) + number] = true;
}

/* [v5:v4], x7 ... at p; returns what is behind it. */
static inline const char *
read_shown(struct walk *k, const char *p, bool in_parentheses)
{
    bool pair = *p == '[';
    p += pair;
    char file = *p, *end;
    unsigned number = (unsigned)strtoul(p + 1, &end, 10);
    show(&k->shown, file, number);
    if (pair) {
        show(&k->high, file, number);
        number--;
        show(&k->shown, file, number);
        while (*end++ != ']')
            ;
    }
    if (in_parentheses)
        show(&k->addresses, file, number);
    return end;
}

/* Pairs that the row has by itself are named by their even registers. */
static inline void
show_own_pairs(struct walk *k)
{
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[k->in.op].format];
    for (unsigned i = 0; i < f->fields; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        bool v = field->kind == VENTUS_ISA_KIND_V ||
                 (field->kind == VENTUS_ISA_KIND_A && !k->scalar_amo);
        if (!field->pair)
            continue;
        show(&k->shown, v ? 'v' : 'x', k->in.reg[field->member] + 1u);
        show(&k->high, v ? 'v' : 'x', k->in.reg[field->member] + 1u);
        if (k->in.split && field->member == VENTUS_ISA_MEMBER_D)
            show(&k->shown, 'v', k->in.reg[VENTUS_ISA_SLOT_3] + 1u);
    }
}

static inline bool
starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/*
 * Elements of 2 * SEW bits, in pairs as SEW is 32 here: what narrows reads one
 * in vs2, what widens writes one.
 */
static inline void
show_double_width(struct walk *k)
{
    const char *name = ventus_isa_info[k->in.op].name;
    bool narrows =
        starts(name, "vns") || starts(name, "vnclip") || starts(name, "vfncvt");
    if (!narrows && !starts(name, "vfwcvt"))
        return;
    unsigned r =
        k->in.reg[narrows ? VENTUS_ISA_SLOT_2 : VENTUS_ISA_SLOT_D] + 1u;
    show(&k->shown, 'v', r);
    show(&k->high, 'v', r);
}

/* Of an atomic vs2, and vd where it gets what was in memory; of sc that is a word. */
static inline void
show_atomic_width(struct walk *k)
{
    uint32_t flags = ventus_isa_info[k->in.op].flags;
    char file = k->scalar_amo ? 'x' : 'v';
    if (flags & VENTUS_ISA_F_LOAD)
        show(&k->shown, file, k->in.reg[VENTUS_ISA_SLOT_D] + 1u);
    if (flags & VENTUS_ISA_F_STORE)
        show(&k->shown, file, k->in.reg[VENTUS_ISA_SLOT_2] + 1u);
}

/* The registers behind the one with the data, as pre_m says. */
static inline void
show_width(struct walk *k)
{
    if (ventus_isa_info[k->in.op].flags & VENTUS_ISA_F_ATOMIC) {
        if (k->in.width > 1)
            show_atomic_width(k);
        return;
    }
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[k->in.op].format];
    bool store = ventus_isa_info[k->in.op].flags & VENTUS_ISA_F_STORE,
         done = false;
    for (unsigned i = 0; i < f->fields && !done; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        bool v = field->kind == VENTUS_ISA_KIND_V;
        if (field->member > VENTUS_ISA_MEMBER_3 ||
            field->member == VENTUS_ISA_MEMBER_1)
            continue;
        done = store ? !field->out : field->out; /* the first one is it */
        for (unsigned n = 1; done && n < k->in.width; n++)
            show(&k->shown, v ? 'v' : 'x', k->in.reg[field->member] + n);
    }
}

static inline void
read_text(struct walk *k)
{
    ventus_isa_print(&k->in,
                     &(struct ventus_isa_print){ .scalar_amo = k->scalar_amo,
                                                 .no_alias = true },
                     k->text, sizeof k->text);
    memset(&k->shown, 0, sizeof k->shown);
    memset(&k->addresses, 0, sizeof k->addresses);
    memset(&k->high, 0, sizeof k->high);
    const char *p = k->text + strcspn(k->text, " ");
    char before = ' ';
    while (*p) {
        bool begins = (*p == 'x' || *p == 'v') && isdigit((unsigned char)p[1]);
        if ((before == ' ' || before == '(') && (begins || *p == '['))
            p = read_shown(k, p, before == '(');
        else
            before = *p++;
    }
    show_own_pairs(k);
    show_double_width(k);
    show_width(k);
}

/* ---- a state, one instruction, what came of it ---- */

/* Addresses for slot 1 of an access: inside of the memory that it means. */
static inline uint32_t
base_of(const struct walk *k, unsigned lane)
{
    bool small =
        k->in.space || ventus_isa_info[k->in.op].flags & VENTUS_ISA_F_PRIVATE;
    return (small ? 0u : (uint32_t)DATA) + 64 + 16 * lane;
}

/*
 * Sources whose sum is all ones, or 0 with a carry in the odd lanes; in pairs,
 * too: 8 or the immediate, and its complement or negative.
 */
static inline uint32_t
opposite(const struct walk *k, unsigned r, unsigned data, unsigned lane)
{
    uint32_t value = k->in.imm ? (uint32_t)k->in.imm : 8;
    if (k->high.in[r])
        return data == k->in.reg[VENTUS_ISA_SLOT_1] + 1u ? 0 : UINT32_MAX;
    return data == k->in.reg[VENTUS_ISA_SLOT_1] ? value : ~value + (lane & 1);
}

static inline uint32_t
value_of(struct walk *k, unsigned state, unsigned r, unsigned lane)
{
    static const uint32_t floats[] = { 0x3f800000, 0x40490fdb, 0xc0a00000,
                                       0x3e99999a, 0x00000001, 0x7f800000 };
    uint32_t random = random32(k);
    bool access = ventus_isa_info[k->in.op].flags &
                  (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE);
    bool index = mem_mode_of(k->in.op) == MODE_INDEX ||
                 mem_mode_of(k->in.op) == MODE_STRIDE;
    bool small =
        k->in.space || ventus_isa_info[k->in.op].flags & VENTUS_ISA_F_PRIVATE;
    if (r == 0 || r == 64)
        return r ? lane & 1 : 0; /* x0, and the mask */
    if (k->in.op == VENTUS_ISA_JALR && k->addresses.in[r])
        return CODE + 64;
    if (access && k->high.in[r])
        return small ? 0 : (uint32_t)(HIGH >> 32);
    if (access && k->addresses.in[r])
        return base_of(k, lane);
    unsigned data = r < 64 ? r : r - 64;
    if (access && index && data == k->in.reg[VENTUS_ISA_SLOT_2])
        return 16 + 8 * (lane % 3);
    /* About as large as the immediate, if there is one. */
    uint32_t single, same = k->in.imm ? (uint32_t)k->in.imm : 8;
    if (state % KINDS == 9)
        return opposite(k, r, data, lane);
    same += state / KINDS % 3 - 1;
    switch (state % KINDS) {
    case 0:
        return random;
    case 1: /* lengths, shifts, small numbers of either sign */
        return (random >> 8) % 16 - 4 * (random & 1);
    case 2: /* 64-bit floating point in pairs: upper half odd */
        return r % 2 ? (0x3ff00000 + (random >> 12)) ^ random << 31 : random;
    case 3: /* all the same integer, as in the instruction */
        return k->high.in[r] ? 0 : same;
    case 4: /* all 1.0 */
        single = k->in.pair && data % 2 == 0 ? 0 : 0x3f800000;
        return k->high.in[r] ? 0x3ff00000 : single;
    case 5: /* 64-bit infinities */
        if (k->high.in[r] || (k->in.pair && data % 2 == 0))
            return k->high.in[r] ? 0x7ff00000 : 0;
        return floats[(random >> 8) % 6] ^ (random & 1) << 31;
    case 6: /* one source is larger by 1 than the other */
        return k->high.in[r] ? 0
                             : same + (data == k->in.reg[VENTUS_ISA_SLOT_1]);
    case 7:
        return k->high.in[r] ? 0
                             : same + (data == k->in.reg[VENTUS_ISA_SLOT_2]);
    default: /* numbers of 31 bits and a fraction */
        return k->high.in[r] ? (0x41d00000 + (random >> 14)) ^ random << 31
                             : random;
    }
}

static inline void
put_state(struct walk *k, const struct outcome *from)
{
    *k->w = from->warp;
    memcpy(k->w->v, from->v, sizeof from->v);
    for (unsigned p = 0; p < PLACES; p++)
        memcpy(k->host[p], from->memory[p], MEMORY);
}

/* What sc needs to store anything. */
static inline void
reserve(struct walk *k)
{
    uint64_t at[MEM_WORDS_MAX];
    unsigned bytes;
    if (!(ventus_isa_info[k->in.op].flags & VENTUS_ISA_F_ATOMIC))
        return;
    put_state(k, &k->start);
    unsigned n = mem_words(k->w, &k->page.ops[0], k->w->exec, at, &bytes);
    struct sim_warp *w = &k->start.warp;
    unsigned words = k->in.width > 1 ? k->in.width : 1;
    for (unsigned i = 0; i < n / words; i++)
        for (unsigned p = 0; p < PLACES; p++) {
            uint64_t first = at[i * words], offset = first - places[p];
            if (offset > MEMORY - 4 * words)
                continue;
            w->reserved |= UINT64_C(1) << i;
            w->reserved_wide |= (uint64_t)(words > 1) << i;
            w->reserved_at[i] = first;
            memcpy(&w->reserved_value[i], k->host[p] + offset, 4 * words);
        }
}

static inline void
make_state(struct walk *k, unsigned state)
{
    k->start.warp = k->clean;
    for (unsigned r = 0; r < 64; r++)
        k->start.warp.x[r] = value_of(k, state, r, 0);
    for (unsigned r = 0; r < 256; r++)
        for (unsigned i = 0; i < LANES; i++)
            k->start.v[r][i] = value_of(k, state, 64 + r, i);
    for (unsigned p = 0; p < PLACES; p++)
        for (unsigned i = 0; i < MEMORY; i++)
            k->start.memory[p][i] = (uint8_t)(random32(k) >> 8);
    if (state % 2 == 0)
        reserve(k);
}

static inline void
run_one(struct walk *k, const struct outcome *from, struct outcome *to)
{
    struct sim_warp *w = k->w;
    put_state(k, from);
    memset(w->fault, 0, sizeof *w->fault);
    fp_host_enter(w->fp, FP_RNE);
    const struct sim_op *op = &k->page.ops[0];
    const struct sim_op *next = op->fn(w, op);
    fp_collect(w);
    fp_host_leave(w->fp);
    w->x[0] = 0;
    if (next)
        w->next = next;
    to->warp = *w;
    to->fault = *w->fault;
    memcpy(to->v, w->v, sizeof to->v);
    for (unsigned p = 0; p < PLACES; p++)
        memcpy(to->memory[p], k->host[p], MEMORY);
}

static inline uint32_t *
word_of(struct outcome *o, unsigned r, unsigned lane)
{
    return r < 64 ? &o->warp.x[r] : &o->v[r - 64][lane];
}

/* All but the registers. */
static inline bool
same_elsewhere(const struct outcome *a, const struct outcome *b)
{
    const struct sim_warp *p = &a->warp, *q = &b->warp;
    return a->fault.kind == b->fault.kind &&
           a->fault.address == b->fault.address &&
           a->fault.lane == b->fault.lane && a->fault.pc == b->fault.pc &&
           !strcmp(a->fault.text, b->fault.text) && p->next == q->next &&
           p->stop == q->stop && p->vl == q->vl && p->vtype == q->vtype &&
           p->rpc == q->rpc && p->fflags == q->fflags && p->frm == q->frm &&
           p->mtvec == q->mtvec && p->mask == q->mask && p->vxsat == q->vxsat &&
           p->reserved == q->reserved &&
           !memcmp(p->reserved_at, q->reserved_at, sizeof p->reserved_at) &&
           !memcmp(a->memory, b->memory, sizeof a->memory);
}

/* Whether register r, which `now` began with another value, was read; changes
 * `now`. */
static inline bool
was_read(struct walk *k, struct outcome *changed, unsigned r)
{
    for (unsigned i = 0; i < (r < 64 ? 1 : LANES); i++) {
        uint32_t *a = word_of(&k->base, r, i), *b = word_of(&k->now, r, i);
        if (*b == *word_of(changed, r, i) && *a == *word_of(&k->start, r, i))
            *b = *a; /* it was left alone */
    }
    return !same_elsewhere(&k->base, &k->now) ||
           memcmp(k->base.v, k->now.v, sizeof k->now.v) != 0 ||
           memcmp(k->base.warp.x, k->now.warp.x, sizeof k->now.warp.x) != 0;
}
