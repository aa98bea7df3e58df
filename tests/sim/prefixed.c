/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every row under every prefix, in both versions: the registers that the
 * disassembly shows are those that the machine reads and writes.
 *
 * An instruction runs alone on a warp whose registers and memory all differ.
 * Then each register that could be meant is changed, one at a time: what
 * changes the outcome is read, what is another value afterwards is written.
 * What is shown is taken from the text.  A combination may be refused by the
 * decoder or be an illegal instruction instead.
 */
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

static uint32_t
random32(struct walk *k)
{
    k->seed = k->seed * 1664525 + 1013904223;
    return k->seed ^ k->seed >> 15;
}

/* ---- what the text shows ---- */

static void
show(struct regs *set, char file, unsigned number)
{
    set->in[(file == 'v' ? 64 : 0) + number] = true;
}

/* [v5:v4], x7 ... at p; returns what is behind it. */
static const char *
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
static void
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

static bool
starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/*
 * Elements of 2 * SEW bits, in pairs as SEW is 32 here: what narrows reads one
 * in vs2, what widens writes one.
 */
static void
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

/* The registers behind the one with the data, as pre_m says. */
static void
show_width(struct walk *k)
{
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

static void
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
static uint32_t
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
static uint32_t
opposite(const struct walk *k, unsigned r, unsigned data, unsigned lane)
{
    uint32_t value = k->in.imm ? (uint32_t)k->in.imm : 8;
    if (k->high.in[r])
        return data == k->in.reg[VENTUS_ISA_SLOT_1] + 1u ? 0 : UINT32_MAX;
    return data == k->in.reg[VENTUS_ISA_SLOT_1] ? value : ~value + (lane & 1);
}

static uint32_t
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

static void
put_state(struct walk *k, const struct outcome *from)
{
    *k->w = from->warp;
    memcpy(k->w->v, from->v, sizeof from->v);
    for (unsigned p = 0; p < PLACES; p++)
        memcpy(k->host[p], from->memory[p], MEMORY);
}

/* What sc needs to store anything. */
static void
reserve(struct walk *k)
{
    uint64_t at[MEM_WORDS_MAX];
    unsigned bytes;
    if (!(ventus_isa_info[k->in.op].flags & VENTUS_ISA_F_ATOMIC))
        return;
    put_state(k, &k->start);
    unsigned n = mem_words(k->w, &k->page.ops[0], k->w->exec, at, &bytes);
    struct sim_warp *w = &k->start.warp;
    for (unsigned i = 0; i < n; i++)
        for (unsigned p = 0; p < PLACES; p++) {
            if (at[i] - places[p] >= MEMORY)
                continue;
            w->reserved |= UINT64_C(1) << i;
            w->reserved_at[i] = at[i];
            memcpy(&w->reserved_value[i], k->host[p] + (at[i] - places[p]), 4);
        }
}

static void
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

static void
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

static uint32_t *
word_of(struct outcome *o, unsigned r, unsigned lane)
{
    return r < 64 ? &o->warp.x[r] : &o->v[r - 64][lane];
}

/* All but the registers. */
static bool
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
static bool
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

/* ---- which registers are worth to be changed ---- */

static void
find_candidates(const struct walk *k, struct regs *set)
{
    memset(set, 0, sizeof *set);
    for (unsigned slot = 0; slot < 4; slot++)
        for (unsigned n = 0; n < 4; n++)
            for (unsigned high = 0; high < 192; high += 32) {
                unsigned r = (k->in.reg[slot] & 31) + n + high;
                if (r < 64 && r)
                    set->in[r] = true;
                if (r < 256)
                    set->in[64 + r] = true;
            }
    for (unsigned r = 1; r < REGS; r++)
        set->in[r] |= k->shown.in[r];
    set->in[64] = true;
}

/* A value that is another one, but not so far that an address leaves. */
static uint32_t
change(struct walk *k, unsigned state, unsigned r, uint32_t value)
{
    bool access = k->in.op == VENTUS_ISA_JALR ||
                  ventus_isa_info[k->in.op].flags &
                      (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE);
    if (r == 64)
        return value ^ 1;
    if (access && k->addresses.in[r])
        return value ^ 4;
    if (access && k->high.in[r])
        return value ^ 1;
    uint32_t random = random32(k);
    return state % 2 ? value ^ (random | 1) % 32
                     : value ^ (random | 0x80000001);
}

/* ---- what cannot be seen, though it is so ---- */

/* Operands that are written and mean nothing: the table says so; and barriers,
 * whose count is for several warps. */
static bool
has_no_operands(const struct walk *k)
{
    unsigned op = k->in.op;
    return op == VENTUS_ISA_JOIN || op == VENTUS_ISA_ENDPRG ||
           op == VENTUS_ISA_BARRIER || op == VENTUS_ISA_BARRIERSUB ||
           op == VENTUS_ISA_FENCE;
}

static bool
compares(const struct walk *k)
{
    static const char *const names[] = { "seq", "sne", "slt", "sle",
                                         "sgt", "feq", "fne", "flt",
                                         "fle", "fgt", "fge", NULL };
    const char *name = ventus_isa_info[k->in.op].meaning;
    for (unsigned i = 0; names[i]; i++)
        if (starts(name, names[i]))
            return true;
    return ventus_isa_info[k->in.op].flags & VENTUS_ISA_F_BRANCH;
}

/*
 * What has no influence by what the instruction computes: upper halves on the
 * lower half of a result, and under an immediate of and; the upper half of the
 * amount of a shift, and of what is extended; what a shift of 32 or more moves
 * out; a low half below mulh or vsmul; the magnitude where only the sign counts; with abs and neg, |a| == -|b|
 * and more that hardly any operands show.
 */
static bool
is_silent(const struct walk *k, unsigned r)
{
    const struct ventus_isa_insn *in = &k->in;
    const char *name = ventus_isa_info[in->op].meaning;
    enum ventus_isa_slot slot =
        bind_has_vector(in) ? VENTUS_ISA_SLOT_1 : VENTUS_ISA_SLOT_2;
    unsigned reg = in->reg[slot] + (bind_is_vector(in, slot) ? 64 : 0);
    bool modified = in->abs | in->neg;
    static const char *const shifts[] = { "sll",  "srl",  "sra",  "ssrl",
                                          "ssra", "nsrl", "nsra", "nclip" };
    bool shift = false;
    for (unsigned i = 0; i < sizeof shifts / sizeof *shifts; i++)
        shift |= starts(name, shifts[i]);
    if (k->high.in[r] && in->pair &&
        (in->reg[VENTUS_ISA_SLOT_D] % 2 ||
         (!strcmp(name, "and") && in->imm > 0)))
        return true;
    if (shift && (r == reg + 1 || (in->imm && (modified || in->imm > 31))))
        return true;
    if (k->high.in[r] && (starts(name, "zext") || starts(name, "sext")))
        return true;
    if (starts(name, "fsgnj") && in->pair && r == reg)
        return true;
    static const char *const rare[] = { "div",    "rem",  "min",   "max",
                                        "or",     "mulh", "fsqrt", "fsgnj",
                                        "frsqrt", "madc", "msbc",  "nclip" };
    for (unsigned i = 0; modified && i < sizeof rare / sizeof *rare; i++)
        if (starts(name, rare[i]))
            return true;
    if (in->pair && (starts(name, "mulh") || starts(name, "smul")) &&
        !k->high.in[r])
        return true;
    return modified && compares(k);
}

/* ---- a combination ---- */

static bool
check_states(struct walk *k, struct regs *seen, struct regs *wrong)
{
    struct regs candidates;
    bool any = false;
    find_candidates(k, &candidates);
    for (unsigned state = 0; state < STATES; state++) {
        make_state(k, state);
        run_one(k, &k->start, &k->base);
        if (k->base.fault.kind == VENTUS_SIM_FAULT_ILLEGAL)
            continue;
        any = true;
        bool missing = false;
        for (unsigned r = 0; r < REGS; r++) {
            bool hit = false;
            for (unsigned i = 0; i < (r < 64 ? 1 : LANES); i++)
                hit |= *word_of(&k->base, r, i) != *word_of(&k->start, r, i);
            if (!hit && candidates.in[r] && !seen->in[r]) {
                static struct outcome changed;
                changed = k->start;
                for (unsigned i = 0; i < (r < 64 ? 1 : LANES); i++) {
                    uint32_t *word = word_of(&changed, r, i);
                    *word = change(k, state, r, *word);
                }
                run_one(k, &changed, &k->now);
                hit = was_read(k, &changed, r);
            }
            seen->in[r] |= hit;
            wrong->in[r] |= hit && !k->shown.in[r];
            missing |= k->shown.in[r] && !seen->in[r] && !is_silent(k, r);
        }
        if (!missing && state >= 1)
            break;
    }
    return any;
}

static void
complain(const struct walk *k, unsigned r, const char *what)
{
    const char *prefix = k->in.prefix ? ventus_isa_info[k->in.prefix].name : "";
    CHECK(!"a register");
    printf("  version %d: %s (pair=%d abs=%d neg=%d); %s: %c%u %s\n",
           (int)k->version, prefix, k->in.pair, k->in.abs, k->in.neg, k->text,
           r < 64 ? 'x' : 'v', r < 64 ? r : r - 64, what);
}

/*
 * What the model asks before the instruction runs: words of memory that decide
 * what is loaded, and all words that are stored.
 */
static void
check_peek(struct walk *k)
{
    uint64_t at[MEM_WORDS_MAX];
    unsigned bytes = 0;
    uint32_t flags = ventus_isa_info[k->in.op].flags;
    static struct outcome changed;
    make_state(k, 0);
    run_one(k, &k->start, &k->base);
    *k->w = k->start.warp;
    memcpy(k->w->v, k->start.v, sizeof k->start.v);
    const struct sim_op *op = &k->page.ops[0];
    unsigned n = mem_words(k->w, op, warp_op_lanes(k->w, op), at, &bytes),
             hits = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned p = 0; p < PLACES; p++) {
            if (at[i] - places[p] >= MEMORY)
                continue;
            hits++;
            changed = k->start;
            changed.memory[p][at[i] - places[p]] ^= 0x11;
            run_one(k, &changed, &k->now);
            bool same =
                !memcmp(k->now.v, k->base.v, sizeof k->now.v) &&
                !memcmp(k->now.warp.x, k->base.warp.x, sizeof k->now.warp.x);
            if (flags & VENTUS_ISA_F_LOAD && same)
                complain(k, 0, "(no register) is what was peeked at");
            memset(&changed.memory[p][at[i] - places[p]], 0xa5, bytes);
            memset(&k->start.memory[p][at[i] - places[p]], 0xa5, bytes);
            memset(&k->base.memory[p][at[i] - places[p]], 0xa5, bytes);
        }
    if (hits != n || (!n && k->base.fault.kind == VENTUS_SIM_FAULT_NONE))
        complain(k, 0, "(no register): an address peeked at is no memory");
    if (memcmp(k->start.memory, k->base.memory, sizeof k->base.memory) != 0)
        complain(k, 0, "(no register) stores to an unexpected address");
}

/* Decodes, binds and compares prefix and word. */
static void
try_words(struct walk *k, uint32_t prefix, uint32_t word)
{
    uint32_t *words = k->page.words;
    struct regs seen = { { false } }, wrong = { { false } };
    unsigned n = 0;
    if (prefix)
        words[n++] = prefix;
    words[n++] = word;
    k->words = ventus_isa_decode(k->version, words, n, &k->in);
    if (!k->words) {
        k->refused++;
        CHECK(ventus_isa_refused(k->version, words, n) != NULL);
        return;
    }
    if (k->words < n) { /* only what the draft says of pre_m */
        k->ignored++;
        CHECK_EQ(ventus_isa_info[k->in.op].format, VENTUS_ISA_FORMAT_PREM);
        return;
    }
    bind_op(k->m->sim, CODE, k->words, &k->in, &k->page.ops[0]);
    read_text(k);
    if (!check_states(k, &seen, &wrong)) {
        k->illegal++;
        return;
    }
    k->ran++;
    for (unsigned r = 1; r < REGS && !has_no_operands(k); r++) {
        if (wrong.in[r])
            complain(k, r, "is not shown");
        if (k->shown.in[r] && !seen.in[r] && !is_silent(k, r))
            complain(k, r, "is shown and makes no difference");
    }
    if (ventus_isa_info[k->in.op].flags &
        (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE))
        check_peek(k);
}

/* ---- all combinations ---- */

/* The row's word with registers of their own: even or odd by bits of `odd`. */
static uint32_t
make_word(const struct walk *k, unsigned op, unsigned odd)
{
    static const uint8_t reg[4] = { 4, 12, 20, 26 };
    struct ventus_isa_insn in;
    uint32_t words[2];
    ventus_isa_decode_word(k->version, ventus_isa_info[op].match, &in);
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < f->fields; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        unsigned m = field->member;
        if (m <= VENTUS_ISA_MEMBER_3)
            ventus_isa_set(&in, field,
                           reg[m] + (field->scale ? 0 : odd >> m & 1));
        else if (m == VENTUS_ISA_MEMBER_IMM)
            ventus_isa_set(&in, field,
                           field->kind == VENTUS_ISA_KIND_B ||
                                   field->kind == VENTUS_ISA_KIND_J
                               ? 64
                           : field->is_signed ? 8
                                              : 5);
        else if (m == VENTUS_ISA_MEMBER_VM)
            in.vm = odd != 3;
    }
    if (ventus_isa_info[op].unit == VENTUS_ISA_UNIT_CSR)
        in.aux = in.op == VENTUS_ISA_VSETVLI || in.op == VENTUS_ISA_VSETIVLI
                     ? 0xd0
                     : VENTUS_ISA_CSR_MTVEC;
    in.rm = ventus_isa_info[op].flags & VENTUS_ISA_F_ROUNDS && in.rm == 0
                ? 0
                : in.rm;
    return ventus_isa_encode(&in, words) == 1 ? words[0] : 0;
}

/* Bits 31:20 of a prefix: no registers, or 32 and up, that exist. */
static uint32_t
make_ext(const struct walk *k, unsigned op, bool imm, unsigned high)
{
    struct ventus_isa_insn in;
    ventus_isa_decode_word(k->version, ventus_isa_info[op].match, &in);
    static const uint8_t vector[4] = { 1, 2, 3, 5 }, shift[4] = { 0, 3, 6, 9 };
    static const int8_t with_imm[4] = { 0, -1, 3, -1 };
    uint32_t ext = 0;
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < f->fields && high; i++) {
        const struct ventus_isa_field *field = &ventus_isa_fields[f->field[i]];
        unsigned m = field->member;
        bool v = field->kind == VENTUS_ISA_KIND_V ||
                 (field->kind == VENTUS_ISA_KIND_A && !k->scalar_amo);
        if (m > VENTUS_ISA_MEMBER_3 || (imm && with_imm[m] < 0))
            continue;
        ext |= (uint32_t)(v ? vector[m] : 1) << (imm ? with_imm[m] : shift[m]);
    }
    if (ventus_isa_info[op].flags & VENTUS_ISA_F_ACCUM && !imm && high)
        ext |= 4u << 9; /* vs3 is another register than vd */
    return ext;
}

static void
try_prefixes(struct walk *k, unsigned op, uint32_t word, unsigned odd,
             unsigned high)
{
    for (unsigned p = 1; p < VENTUS_ISA_OP_COUNT; p++) {
        const struct ventus_isa_info *info = &ventus_isa_info[p];
        if (!(info->flags & VENTUS_ISA_F_PREFIX) ||
            !(info->versions & k->version))
            continue;
        bool imm = info->format == VENTUS_ISA_FORMAT_EXTI ||
                   info->format == VENTUS_ISA_FORMAT_PREFIXI;
        bool plain = info->format == VENTUS_ISA_FORMAT_EXT ||
                     info->format == VENTUS_ISA_FORMAT_EXTI;
        bool pre_m = info->format == VENTUS_ISA_FORMAT_PREM;
        if (pre_m && high != odd % 2)
            continue; /* 16 rows, which differ by little */
        uint32_t bits = info->match | make_ext(k, op, imm, high) << 20;
        if (imm && high)
            bits |= 1u << 26;
        try_words(k, bits, word);
        if (imm && high)
            try_words(k, bits & ~(1u << 26), word);
        if (!plain)
            try_words(k, bits | 1u << 19, word);
        if (plain || pre_m || imm)
            continue;
        for (unsigned mods = 1; high && mods < 64; mods <<= 1)
            try_words(k, bits | mods << 13, word);
        try_words(k, bits | 1u << 19 | 1u << 17 | 1u << 14, word);
    }
}

static void
try_row(struct walk *k, unsigned op)
{
    for (unsigned odd = 0; odd < 16; odd += 5) {
        uint32_t word = make_word(k, op, odd);
        if (!CHECK(word))
            continue;
        try_words(k, 0, word);
        for (unsigned high = 0; high < 2; high++)
            try_prefixes(k, op, word, odd, high);
    }
}

static void
open_walk(struct walk *k)
{
    struct ventus_sim_config config = { .isa = k->version,
                                        .num_thread = LANES,
                                        .scalar_amo = k->scalar_amo };
    k->m = machine(&config);
    put(k->m, ventus_isa_endprg(0, 0, 0));
    CHECK(ventus_sim_write(k->m->sim, CODE, k->m->word, 4));
    CHECK(ventus_sim_map(k->m->sim, HIGH + DATA, 0x10000,
                         VENTUS_SIM_READ | VENTUS_SIM_WRITE));
    k->m->launch.pds_base = DATA;
    k->m->launch.pds_size_B = PDS_SIZE;
    k->stepper = step_open(k->m->sim, &k->m->launch, 1, &k->m->fault);
    CHECK(k->stepper != NULL);
    step_start(k->stepper, 0, 0);
    /* The warp, which the stepper shows no more of than its registers. */
    const uint32_t *x = step_registers(k->stepper, 0, 0).x;
    k->w = (struct sim_warp *)((uintptr_t)x - offsetof(struct sim_warp, x));
    mmu_set_local(k->w->mmu, &k->w->group->local);
    for (unsigned p = 0; p < PLACES; p++)
        k->host[p] = mmu_at(k->w->mmu, places[p], 4, MMU_WRITE);
    k->page.base = CODE;
    k->page.valid = true;
    k->page.n = 2;
    k->w->page = &k->page;
    k->w->gds = DATA;
    k->w->mtvec = 0x12345678;
    k->clean = *k->w;
}

static void
walk(enum ventus_isa_version version, bool scalar_amo)
{
    struct walk *k = calloc(1, sizeof *k);
    k->version = version;
    k->scalar_amo = scalar_amo;
    k->seed = 1;
    open_walk(k);
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++)
        if (ventus_isa_info[op].versions & version &&
            !(ventus_isa_info[op].flags & VENTUS_ISA_F_PREFIX) &&
            (!scalar_amo || ventus_isa_info[op].flags & VENTUS_ISA_F_ATOMIC))
            try_row(k, op);
    printf("  version %d: %u ran, %u refused, %u illegal, %u without effect\n",
           (int)version, k->ran, k->refused, k->illegal, k->ignored);
    CHECK(k->ran > (scalar_amo ? 300 : 5000));
    step_close(k->stepper);
    machine_free(k->m);
    free(k);
}

TEST(what_is_shown_is_read_or_written_in_version_1)
{
    walk(VENTUS_ISA_V1, false);
}

TEST(what_is_shown_is_read_or_written_in_version_2)
{
    walk(VENTUS_ISA_V2, false);
}

TEST(what_is_shown_is_read_or_written_by_scalar_atomics)
{
    walk(VENTUS_ISA_V1, true);
    walk(VENTUS_ISA_V2, true);
}

TEST_MAIN
