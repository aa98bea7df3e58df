/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binding: a decoded instruction becomes a function and its operands.
 *
 * A scalar destination x0 becomes a register that nothing reads, so that handlers
 * need no test; registers above x63 are illegal, because there are 64.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "sim/bind.h"

static const struct sim_meaning *const units[] = {
    alu_meanings,    fpu_meanings,   lsu_meanings,
    csr_meanings,    ctrl_meanings,  atomic_meanings,
    tensor_meanings, fixed_meanings, convert_meanings,
};

static struct sim_how
find_meaning(const char *name)
{
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (const struct sim_meaning *m = units[u]; m->name; m++)
            if (strcmp(m->name, name) == 0)
                return m->how;
    return (struct sim_how){ NULL, 0 };
}

/* Functions of all rows; names are compared once, not for each machine. */
static struct {
    pthread_once_t once;
    struct sim_how how[VENTUS_ISA_OP_COUNT];
} all = { .once = PTHREAD_ONCE_INIT };

static void
find_all(void)
{
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++)
        all.how[op] = find_meaning(ventus_isa_info[op].meaning);
}

void
bind_init(struct ventus_sim *sim)
{
    pthread_once(&all.once, find_all);
    memcpy(sim->how, all.how, sizeof sim->how);
}

bool
bind_is_vector(const struct ventus_isa_insn *in, enum ventus_isa_slot slot)
{
    const struct ventus_isa_field *f =
        ventus_isa_slot_field(in->op, (enum ventus_isa_slot)slot);
    return f && f->kind == VENTUS_ISA_KIND_V;
}

bool
bind_has_vector(const struct ventus_isa_insn *in)
{
    for (unsigned slot = VENTUS_ISA_SLOT_D; slot <= VENTUS_ISA_SLOT_3; slot++)
        if (bind_is_vector(in, (enum ventus_isa_slot)slot))
            return true;
    return false;
}

const struct sim_op *
bind_illegal(struct sim_warp *w, const struct sim_op *op)
{
    return warp_fault(w, op, VENTUS_SIM_FAULT_ILLEGAL, -1, 0);
}

/* The registers of the encoding; false: one does not exist. */
static bool
bind_registers(const struct ventus_sim *sim, const struct ventus_isa_insn *in,
               struct sim_op *op)
{
    uint8_t *to[4] = { &op->d, &op->s1, &op->s2, &op->s3 };
    for (unsigned slot = 0; slot < 4; slot++) {
        const struct ventus_isa_field *f =
            ventus_isa_slot_field(in->op, (enum ventus_isa_slot)slot);
        unsigned r = in->reg[slot];
        if (!f)
            continue;
        bool scalar = f->kind == VENTUS_ISA_KIND_X ||
                      (f->kind == VENTUS_ISA_KIND_A && sim->config.scalar_amo);
        if (scalar && r >= SIM_XREGS)
            return false;
        bool to_zero = scalar && !r && slot == VENTUS_ISA_SLOT_D;
        *to[slot] = (uint8_t)(to_zero ? X_SINK : r);
    }
    if (ventus_isa_info[in->op].flags & VENTUS_ISA_F_ACCUM)
        op->s3 = in->split ? in->reg[VENTUS_ISA_SLOT_3] : op->d;
    return true;
}

/*
 * Whether a pair prefix makes the numbers 64 bits wide: an odd register "is not
 * extended and is computed with as 32-bit data" (manual 4.2.3), so where all
 * are odd nothing is.  Accesses look at their base alone (lsu.c).
 */
static bool
has_pair(const struct ventus_isa_insn *in)
{
    bool all_odd = true;
    if (!in->pair || ventus_isa_info[in->op].flags &
                         (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE))
        return in->pair;
    for (unsigned slot = 0; slot < 4; slot++)
        if (ventus_isa_slot_field(in->op, (enum ventus_isa_slot)slot))
            all_odd &= in->reg[slot] % 2;
    return !all_odd;
}

void
bind_op(const struct ventus_sim *sim, uint32_t pc, unsigned words,
        const struct ventus_isa_insn *in, struct sim_op *op)
{
    *op = (struct sim_op){
        .pc = pc + (words > 1 ? 4 : 0),
        .imm = in->imm,
        .code = in->op,
        .aux = in->aux,
        .words = (uint8_t)(words ? words : 1),
        .slow = (ventus_isa_info[in->op].flags & VENTUS_ISA_F_MASKED) &&
                        !in->vm && !sim->config.ignore_vm
                    ? SLOW_MASK
                    : 0,
        .kind = sim->how[in->op].kind,
        .mods = (uint8_t)((has_pair(in) ? MOD_PAIR : 0) | in->abs * MOD_ABS |
                          in->neg * MOD_NEG),
        .space = in->space,
        .width = in->width,
    };
    if (ventus_isa_info[in->op].flags & VENTUS_ISA_F_PAIR64)
        op->mods |= MOD_PAIR;
    sim_bind_fn *bind = sim->how[in->op].bind;
    if (!words || !bind || !bind_registers(sim, in, op) || !bind(sim, in, op))
        op->fn = bind_illegal;
    assert(op->fn && op->words <= 2);
}
