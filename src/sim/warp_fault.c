/* SPDX-License-Identifier: Apache-2.0 */
/* A warp that is refused something: faults; its mask, and jumps to other pages. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/debug_assert.h"
#include "sim/state.h"

void
warp_set_mask(struct sim_warp *w, uint64_t mask)
{
    debug_assert((mask & ~first_lanes(w->num_thread)) == 0);
    uint64_t before = w->exec;
    w->mask = mask;
    w->exec = mask & first_lanes(w->vl);
    w->slow &= ~(unsigned)SLOW_MASK;
    if (w->exec != first_lanes(w->lanes))
        w->slow |= SLOW_MASK;
    if (w->exec == before) /* as is `lane` */
        return;
    for (unsigned i = 0; i < w->lanes; i++)
        w->lane[i] = 0 - (uint32_t)(w->exec >> i & 1);
}

/* Fills all members of the fault but its text. */
static void
fill_fault(struct sim_warp *w, uint32_t pc, enum ventus_sim_fault_kind kind,
           int lane, uint64_t address)
{
    assert(kind > VENTUS_SIM_FAULT_NONE && kind < VENTUS_SIM_FAULT_COUNT);
    assert(lane < (int)w->num_thread);
    struct ventus_sim_fault *f = w->fault;
    *f = (struct ventus_sim_fault){
        .kind = kind,
        .pc = pc,
        .group = w->group->number,
        .warp = w->id,
        .lane = lane,
        .address = address,
    };
    memcpy(f->group_at, w->group->at, sizeof f->group_at);
    uint32_t base = pc / SIM_PAGE * SIM_PAGE;
    if (w->page && w->page->base == base && !(pc & 3)) {
        unsigned i = (pc - base) / 4;
        ventus_isa_decode_word(w->worker->sim->config.isa, w->page->words[i],
                               &f->in);
    }
}

static const struct sim_op *
stop_fault(struct sim_warp *w, const struct sim_op *op)
{
    w->stop = STOP_FAULT;
    w->next = op;
    return NULL;
}

/* The instruction with its prefix, as the page has it. */
static void
decode_at(struct sim_warp *w, const struct sim_op *op)
{
    const struct sim_code_page *p = w->page;
    size_t i = (size_t)(op - p->ops);
    assert(i < CODE_WORDS + 2); /* op is of the page */
    if (i < CODE_WORDS)
        ventus_isa_decode(w->worker->sim->config.isa, p->words + i, p->n - i,
                          &w->fault->in);
}

const struct sim_op *
warp_fault_text(struct sim_warp *w, const struct sim_op *op,
                enum ventus_sim_fault_kind kind, const char *text)
{
    fill_fault(w, op->pc, kind, -1, 0);
    decode_at(w, op);
    fault_describe(w->fault, text);
    return stop_fault(w, op);
}

/* A word that is no instruction, or a prefix that is refused before the next. */
static void
describe_illegal(struct sim_warp *w, const struct sim_op *op)
{
    enum ventus_isa_version version = w->worker->sim->config.isa;
    const struct sim_code_page *p = w->page;
    size_t i = (size_t)(op - p->ops);
    const char *why = ventus_isa_refused(version, p->words + i, p->n - i);
    struct ventus_isa_insn prefix, next;
    char text[160];
    if (!why) {
        fault_describe_word(w->fault, p->words[i]);
        return;
    }
    ventus_isa_decode_word(version, p->words[i], &prefix);
    ventus_isa_decode_word(version, p->words[i + 1], &next);
    snprintf(text, sizeof text, "'%s' before '%s': %s",
             ventus_isa_info[prefix.op].name, ventus_isa_info[next.op].name,
             why);
    fault_describe(w->fault, text);
}

const struct sim_op *
warp_fault(struct sim_warp *w, const struct sim_op *op,
           enum ventus_sim_fault_kind kind, int lane, uint64_t address)
{
    fill_fault(w, op->pc, kind, lane, address);
    decode_at(w, op);
    if (kind == VENTUS_SIM_FAULT_PRIVATE) {
        char text[48];
        snprintf(text, sizeof text, "a thread has %u bytes",
                 (unsigned)w->pds_size_B);
        fault_describe(w->fault, text);
    } else if (kind == VENTUS_SIM_FAULT_ILLEGAL) {
        describe_illegal(w, op);
    } else {
        fault_describe(w->fault, NULL);
    }
    return stop_fault(w, op);
}

const struct sim_op *
warp_jump_far(struct sim_warp *w, const struct sim_op *op, uint32_t pc)
{
    if (pc & 3) {
        fill_fault(w, op->pc, VENTUS_SIM_FAULT_MISALIGNED, -1, pc);
        decode_at(w, op);
        fault_describe(w->fault, "branch target");
        return stop_fault(w, op);
    }
    enum ventus_sim_fault_kind why;
    const struct sim_code_page *p = code_page(w->worker, pc, &why);
    if (!p) {
        fill_fault(w, pc, why, -1, pc);
        w->fault->in = (struct ventus_isa_insn){ 0 };
        fault_describe(w->fault, "instruction fetch");
        return stop_fault(w, op);
    }
    w->page = p;
    assert(p->valid && pc - p->base < SIM_PAGE);
    return &p->ops[pc % SIM_PAGE / 4];
}
