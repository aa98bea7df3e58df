/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Properties of instructions for the pipeline, from the table of the ISA.  A page
 * of code is decoded at its first fetch.
 */
#include "model/pipeline/decode.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "model/pipeline/unit_class.h"

enum { BARRIER_FLAGS = 7 }; /* in imm; none: the barrier counts threads */

enum { NEEDS_VS2 = 1, NEEDS_X = 4, NEEDS_V = 5 }; /* in model_op.needs */

/* The operand that is read from a slot, by number of the slot. */
static void
add_read(struct model_op *o, unsigned i, const struct ventus_isa_field *f,
         unsigned r, unsigned span)
{
    o->read[i] = f->kind == VENTUS_ISA_KIND_V ? READ_VECTOR : READ_SCALAR;
    o->reg[i] = (uint8_t)r;
    o->span[i] = (uint8_t)span;
}

/* The fields of a store from its first data register on, after the base. */
static bool
is_data(const struct ventus_isa_format_info *format,
        const struct ventus_isa_field *f)
{
    unsigned i = 0;
    while (ventus_isa_fields[format->field[i]].member == VENTUS_ISA_MEMBER_1)
        i++;
    return f == &ventus_isa_fields[format->field[i]];
}

/* All but the address, and the answer of sc, which is a word. */
static bool
is_atomic_data(const struct ventus_isa_insn *in,
               const struct ventus_isa_field *f)
{
    bool sc = in->op == VENTUS_ISA_SC_W || in->op == VENTUS_ISA_SC_D;
    return f->member == VENTUS_ISA_MEMBER_2 ||
           (f->member == VENTUS_ISA_MEMBER_D && !sc);
}

/* How many registers from r on the operand is in (decision 8). */
static unsigned
span_of(const struct ventus_isa_insn *in, const struct ventus_isa_field *f,
        unsigned r)
{
    const struct ventus_isa_info *info = &ventus_isa_info[in->op];
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[info->format];
    bool access = info->flags & (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE);
    bool pair = in->pair && r % 2 == 0 && (r || f->kind == VENTUS_ISA_KIND_V);
    unsigned span = f->pair || (pair && !access) ? 2 : 1;
    if (access && f->member == VENTUS_ISA_MEMBER_1 && pair)
        span = 2;
    bool data = info->flags & VENTUS_ISA_F_ATOMIC ? is_atomic_data(in, f)
                                                  : is_data(format, f);
    if (access && in->width > 1 && data)
        span = in->width;
    return r + span > BUSY_V ? BUSY_V - r : span;
}

/*
 * Sources are read in three places: src1, src2, and a third for what is added,
 * stored or jumped to (microarchitecture.md, Operand collectors).
 */
static void
find_operands(struct model_op *o, const struct ventus_isa_insn *in)
{
    const struct ventus_isa_info *info = &ventus_isa_info[in->op];
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[info->format];
    bool store = info->flags & VENTUS_ISA_F_STORE &&
                 !(info->flags & VENTUS_ISA_F_ATOMIC);
    if (o->barrier && in->reg[VENTUS_ISA_SLOT_2] && !(in->imm & BARRIER_FLAGS))
        add_read(o, 1, &ventus_isa_fields[format->field[1]],
                 in->reg[VENTUS_ISA_SLOT_2], 1);
    if (in->op == VENTUS_ISA_JOIN || o->barrier ||
        info->flags & VENTUS_ISA_F_ENDS)
        return; /* their registers are not read */
    for (unsigned i = 0; i < format->fields; i++) {
        const struct ventus_isa_field *f = &ventus_isa_fields[format->field[i]];
        if (f->member > VENTUS_ISA_MEMBER_3 || f->kind > VENTUS_ISA_KIND_A)
            continue;
        unsigned r = in->reg[f->member], place = f->member - 1u;
        unsigned from = in->split && f->member == VENTUS_ISA_MEMBER_D
                            ? in->reg[VENTUS_ISA_SLOT_3]
                            : r;
        if (f->member == VENTUS_ISA_MEMBER_D || (store && place == 1))
            place = 2;
        if (f->read && !(store && place == 2 && o->read[2]))
            add_read(o, in->op == VENTUS_ISA_JALR ? 2 : place, f, from,
                     span_of(in, f, from));
        if (f->out && f->kind == VENTUS_ISA_KIND_V)
            o->writes_v = true;
        else if (f->out)
            o->writes_x = true;
        if (f->out) {
            o->d = (uint8_t)r;
            o->span[NEEDS_X] = o->span[NEEDS_V] = (uint8_t)span_of(in, f, r);
        }
        o->vector |= f->kind == VENTUS_ISA_KIND_V;
    }
    bool merges = info->format == VENTUS_ISA_FORMAT_VMERGEV ||
                  info->format == VENTUS_ISA_FORMAT_VMERGEX ||
                  info->format == VENTUS_ISA_FORMAT_VMERGEI;
    if (merges || (info->flags & VENTUS_ISA_F_MASKED && !in->vm)) {
        o->read[3] = READ_VECTOR;
        o->reg[3] = 0;
    }
    o->twice =
        (uint8_t)((info->flags & VENTUS_ISA_F_NARROWS ? 1 << NEEDS_VS2 : 0) |
                  (info->flags & VENTUS_ISA_F_WIDENS ? 1 << NEEDS_V : 0));
}

/* Manual 4.2.4: imm[4:3] scope, imm[2] image, imm[1] global, imm[0] local. */
static uint8_t
barrier_orders(const struct ventus_isa_insn *in)
{
    enum { WORK_ITEM = 1, DEVICE = 2 };
    int scope = in->op == VENTUS_ISA_BARRIERSUB ? 0 : in->imm >> 3 & 3;
    bool local = in->imm & 1, global = in->imm & 6;
    if (scope == WORK_ITEM)
        return 0; /* accesses of one warp are in order anyway */
    return (uint8_t)((local ? ORDERS_LOCAL : 0) | (global ? ORDERS_GLOBAL : 0) |
                     (global && scope >= DEVICE ? ORDERS_DEVICE : 0));
}

/* Atomics go to the L2 whatever the hint says. */
static uint8_t
hint_of(const struct ventus_isa_insn *in)
{
    bool atomic = ventus_isa_info[in->op].flags & VENTUS_ISA_F_ATOMIC;
    return atomic || in->hint > VENTUS_ISA_HINT_BYPASS ? VENTUS_ISA_HINT_DEFAULT
                                                       : in->hint;
}

static void
find_kind(struct model_op *o, const struct ventus_isa_insn *in)
{
    const struct ventus_isa_info *info = &ventus_isa_info[in->op];
    o->orders = o->barrier ? barrier_orders(in) : 0;
    o->subgroup = in->op == VENTUS_ISA_BARRIERSUB;
    o->ends = info->flags & VENTUS_ISA_F_ENDS;
    o->memory = info->unit == VENTUS_ISA_UNIT_LSU;
    o->fence = in->op == VENTUS_ISA_FENCE;
    o->write = info->flags & VENTUS_ISA_F_STORE;
    o->atomic = info->flags & VENTUS_ISA_F_ATOMIC;
    o->private = info->flags & VENTUS_ISA_F_PRIVATE;
    o->hint = hint_of(in);
    o->words = (uint8_t)(in->width > 1 ? in->width : 1);
    o->words_apart = o->private || in->space == VENTUS_ISA_SPACE_PRIVATE;
    o->aqrl = o->atomic ? in->aqrl : 0;
    o->order = o->fence ? (uint8_t)in->aux : 0;
    o->shared = o->atomic || (info->unit == VENTUS_ISA_UNIT_CSR &&
                              in->aux == VENTUS_ISA_CSR_PRINT);
    if (info->format == VENTUS_ISA_FORMAT_VB)
        o->branch = BRANCH_VECTOR;
    else if (in->op == VENTUS_ISA_JOIN)
        o->branch = BRANCH_JOIN;
    else if (info->flags & VENTUS_ISA_F_BRANCH && !o->barrier && !o->ends)
        o->branch = BRANCH_SCALAR;
    bool condition = info->format == VENTUS_ISA_FORMAT_B ||
                     info->format == VENTUS_ISA_FORMAT_VB;
    o->to_next = condition && in->imm == 4 && !in->prefix;
}

/* FENCE as the Chisel design decodes it, without a memory command (DecodeUnit.scala): the
 * sALU writes x0.  Its lock is that of every fence.  With coherence = rcc it has the
 * meaning of the instruction set, and comes to the LSU. */
static void
pass_alu(struct model_op *o)
{
    o->unit = VENTUS_ISA_UNIT_SALU;
    o->memory = false;
    o->writes_x = true;
    o->d = 0;
}

/* A product to which something is added goes through the adder, too. */
static enum fpu_kind
fpu_kind(enum ventus_isa_lat lat)
{
    return lat == VENTUS_ISA_LAT_FMA    ? FPU_FUSED
           : lat == VENTUS_ISA_LAT_FADD ? FPU_SUM
           : lat == VENTUS_ISA_LAT_FMUL ? FPU_PRODUCT
                                        : FPU_SHORT;
}

static void
find_needs(struct model_op *o)
{
    for (unsigned i = 0; i < 4; i++)
        o->reads |= (uint8_t)((o->read[i] != READ_NONE) << i);
    for (unsigned i = 0; i < 4; i++)
        o->needs[i] = o->read[i] == READ_VECTOR   ? BUSY_V + o->reg[i]
                      : o->read[i] == READ_SCALAR ? BUSY_X + o->reg[i]
                                                  : BUSY_NONE;
    o->needs[NEEDS_X] = o->writes_x ? BUSY_X + o->d : BUSY_NONE;
    o->needs[NEEDS_V] = o->writes_v ? BUSY_V + o->d : BUSY_NONE;
    for (unsigned i = 0; i < OP_REGISTERS; i++) {
        if (o->needs[i] == BUSY_NONE || !o->span[i])
            o->span[i] = 1;
        o->spans |= o->span[i] > 1;
        assert(o->needs[i] + o->span[i] <= BUSY_COUNT);
    }
}

static void
decode(const struct decoder *d, struct model_op *o, uint32_t pc,
       const struct ventus_isa_insn *in)
{
    *o = (struct model_op){ .pc = pc, .op = (uint16_t)in->op, .known = true };
    o->unit = ventus_isa_info[in->op].unit;
    o->barrier =
        in->op == VENTUS_ISA_BARRIER || in->op == VENTUS_ISA_BARRIERSUB;
    find_operands(o, in);
    find_kind(o, in);
    if (o->fence && d->store->config->fence_alu && !d->store->config->rcc)
        pass_alu(o);
    find_needs(o);
    o->step = (uint8_t)step_kind(d->stepper, in);
    o->lat = ventus_isa_info[in->op].lat;
    o->fpu = (uint8_t)fpu_kind((enum ventus_isa_lat)o->lat);
    o->scalar_port = !o->branch || o->branch == BRANCH_SCALAR
                         ? o->unit == VENTUS_ISA_UNIT_SALU ||
                               o->unit == VENTUS_ISA_UNIT_CSR ||
                               o->unit == VENTUS_ISA_UNIT_SIMT ||
                               o->unit == VENTUS_ISA_UNIT_WARP
                         : false;
    unit_class_set(o, d->store->config, d->store->lanes);
}

static void
decode_page(const struct decoder *d, struct code *c, const uint32_t *words,
            unsigned n)
{
    enum ventus_isa_version version = d->store->version;
    assert(n <= CODE_B / 4 + 1 && c->base % CODE_B == 0);
    memset(c->op, 0, sizeof c->op);
    for (unsigned i = 0; i < n; i++) {
        struct ventus_isa_insn in;
        unsigned used = ventus_isa_decode(version, words + i, n - i, &in);
        if (c->op[i].known)
            continue; /* the instruction that a prefix was folded into */
        if (used == 2) {
            /* A prefix names no unit, so what waits for it does for the scalar port. */
            c->op[i] = (struct model_op){ .pc = c->base + 4 * i,
                                          .known = true,
                                          .skip = true,
                                          .scalar_port = true };
            if (i + 1 < n)
                decode(d, &c->op[i + 1], c->base + 4 * i + 4, &in);
        } else if (used) {
            decode(d, &c->op[i], c->base + 4 * i, &in);
        }
    }
}

/* A page that is not in use yet; NULL: no host memory. */
static struct code *
make_page(struct code_store *c)
{
    if (c->pages < c->made)
        return c->page[c->pages];
    if (c->made == c->room) {
        size_t room = c->room ? 2 * c->room : 32;
        struct code **page = realloc(c->page, room * sizeof(struct code *));
        if (!page)
            return NULL;
        c->page = page;
        c->room = room;
    }
    assert(c->pages == c->made && c->made < c->room &&
           "room for all pages was allocated before the launch");
    struct code *p = c->page[c->made] = calloc(1, sizeof *p);
    c->made += p != NULL;
    return p;
}

static struct code *
add_page(const struct decoder *d, uint32_t pc)
{
    struct code_store *t = d->store;
    unsigned n;
    uint32_t base;
    const uint32_t *words = step_words(d->stepper, pc, &base, &n);
    struct code *c = words ? make_page(t) : NULL;
    if (!c || !hash_add(&t->index, hash_u64(base), t->pages))
        return NULL;
    c->base = base;
    c->n = n;
    decode_page(d, c, words, n);
    t->pages++;
    return c;
}

static const struct code *
find_page(const struct decoder *d, uint32_t pc)
{
    struct code_store *t = d->store;
    struct code *c = NULL;
    uint32_t base = pc & ~(CODE_B - 1u), row;
    struct guard_lock held;
    guard_lock(&held, &t->lock);
    hash_each (&t->index, hash_u64(base), row)
        if (t->page[row]->base == base)
            c = t->page[row];
    if (!c)
        c = add_page(d, pc);
    guard_unlock(&held);
    return c;
}

const struct model_op *
decoder_search(struct decoder *d, uint32_t pc)
{
    const struct code **slot = &d->page[pc / CODE_B % SM_CODES];
    *slot = find_page(d, pc);
    return code_at(*slot, pc);
}

/* ---- life ---- */

void
decoder_reset(struct decoder *d, struct code_store *store,
              struct sim_stepper *stepper)
{
    *d = (struct decoder){ .store = store, .stepper = stepper };
}

bool
code_store_create(struct code_store *t,
                  const struct ventus_model_config *config,
                  const struct ventus_sim_config *machine)
{
    *t = (struct code_store){ .config = config,
                              .version = machine->isa,
                              .lanes = machine->num_thread };
    return pthread_mutex_init(&t->lock, NULL) == 0;
}

/* Destroys a store that was created, or that is all zeros. */
void
code_store_destroy(struct code_store *t)
{
    if (!t->config)
        return;
    for (size_t i = 0; i < t->made; i++)
        free(t->page[i]);
    free(t->page);
    hash_free(&t->index);
    pthread_mutex_destroy(&t->lock);
}

void
code_store_reset(struct code_store *t)
{
    t->pages = 0;
    hash_clear(&t->index);
}
