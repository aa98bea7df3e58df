/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of faults: kind, instruction, place, warp and lane. */
#include <assert.h>
#include <stdio.h>

#include "base/text.h"
#include "sim/fault.h"
#include "sim/state.h"

const char *
ventus_sim_fault_name(enum ventus_sim_fault_kind kind)
{
    switch (kind) {
    case VENTUS_SIM_FAULT_NONE:
        return "no fault";
    case VENTUS_SIM_FAULT_ILLEGAL:
        return "illegal instruction";
    case VENTUS_SIM_FAULT_MISALIGNED:
        return "misaligned access";
    case VENTUS_SIM_FAULT_UNMAPPED:
        return "access to unmapped memory";
    case VENTUS_SIM_FAULT_PERMISSION:
        return "access without permission";
    case VENTUS_SIM_FAULT_PRIVATE:
        return "access outside of private memory";
    case VENTUS_SIM_FAULT_LOCAL:
        return "access outside of local memory";
    case VENTUS_SIM_FAULT_STACK:
        return "SIMT stack overflow";
    case VENTUS_SIM_FAULT_JOIN:
        return "SIMT stack underflow";
    case VENTUS_SIM_FAULT_ENDPRG:
        return "endprg while lanes wait on the SIMT stack";
    case VENTUS_SIM_FAULT_NO_FIT:
        return "workgroup does not fit on an SM";
    case VENTUS_SIM_FAULT_DEADLOCK:
        return "barrier that can never complete";
    case VENTUS_SIM_FAULT_LIMIT:
        return "limit exceeded";
    case VENTUS_SIM_FAULT_LAUNCH:
        return "launch refused";
    case VENTUS_SIM_FAULT_MEMORY:
        return "out of host memory";
    case VENTUS_SIM_FAULT_STOPPED:
        return "stopped";
    case VENTUS_SIM_FAULT_ENDLESS:
        return "loop that can never end";
    case VENTUS_SIM_FAULT_STUCK:
        return "deadlock";
    case VENTUS_SIM_FAULT_INTERNAL:
        return "internal error";
    case VENTUS_SIM_FAULT_COUNT:
        break;
    }
    return "unknown fault";
}

/* The instruction, its columns closed up. */
static void
append_insn(struct ventus_sim_fault *f)
{
    char text[VENTUS_ISA_TEXT_MAX];
    ventus_isa_print(&f->in, NULL, text, sizeof text);
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || from[1] != ' ')
            *to++ = *from;
    *to = '\0';
    text_append(f->text, sizeof f->text, " (%s)", text);
}

/*
 * misaligned access to 0x90000002 at pc 0x80000010 (vlw12.v v1, 0(v2)),
 * workgroup 3 (3,0,0), warp 1, lane 5
 */
void
fault_describe(struct ventus_sim_fault *f, const char *more)
{
    assert(f->kind > VENTUS_SIM_FAULT_NONE && f->kind < VENTUS_SIM_FAULT_COUNT);
    f->text[0] = '\0';
    text_append(f->text, sizeof f->text, "%s", ventus_sim_fault_name(f->kind));
    if (more)
        text_append(f->text, sizeof f->text, ": %s", more);
    if (f->kind == VENTUS_SIM_FAULT_PRIVATE)
        text_append(f->text, sizeof f->text, ", offset 0x%llx",
                    (unsigned long long)f->address);
    if (sim_fault_has_address(f->kind))
        text_append(f->text, sizeof f->text, " to 0x%08llx",
                    (unsigned long long)f->address);
    text_append(f->text, sizeof f->text, " at pc 0x%08llx",
                (unsigned long long)f->pc);
    if (f->in.op)
        append_insn(f);
    text_append(f->text, sizeof f->text, ", workgroup %llu (%u,%u,%u), warp %u",
                (unsigned long long)f->group, f->group_at[0], f->group_at[1],
                f->group_at[2], f->warp);
    if (f->lane >= 0)
        text_append(f->text, sizeof f->text, ", lane %d", f->lane);
}

void
fault_describe_word(struct ventus_sim_fault *f, uint32_t word)
{
    char text[32];
    snprintf(text, sizeof text, "word 0x%08x", (unsigned)word);
    fault_describe(f, text);
}

void
fault_add_warp(struct ventus_sim_fault *f, unsigned warp, uint32_t pc,
               const char *state)
{
    text_append_item(f->text, sizeof f->text, "%s warp %u at 0x%08x %s",
                     warp ? "," : ";", warp, (unsigned)pc, state);
}
