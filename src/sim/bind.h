/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/state.h"

/*
 * From decoded instructions to functions.  Each unit has a table of meanings
 * (column MEANING of ventus.isa) with the function that binds them: it picks
 * the fastest function that is right for this instruction and machine.
 */
struct sim_meaning {
    const char *name; /* NULL ends a table */
    struct sim_how how;
};

extern const struct sim_meaning alu_meanings[], fpu_meanings[], lsu_meanings[],
    csr_meanings[], ctrl_meanings[], atomic_meanings[], tensor_meanings[],
    fixed_meanings[], convert_meanings[];

/* Fills sim->how; an instruction without a unit is left NULL. */
void
bind_init(struct ventus_sim *sim);

/*
 * Binds what ventus_isa_decode found at pc (address of its first word); words 0 is
 * no instruction.  Always leaves an op that can be run: if need be one that
 * faults.
 */
void
bind_op(const struct ventus_sim *sim, uint32_t pc, unsigned words,
        const struct ventus_isa_insn *in, struct sim_op *op);

/* Whether the operand in a slot is a vector register. */
bool
bind_is_vector(const struct ventus_isa_insn *in, enum ventus_isa_slot slot);

/* The functions of scalar and control instructions, by which native.c tells forms apart;
 * those of vectors are in sim_lanes. */
extern sim_fn *const alu_scalar_fns[INT_COUNT];
extern sim_fn *const ctrl_near_fns[BRANCH_COUNT];
extern sim_fn *const ctrl_far_fns[BRANCH_COUNT];
extern sim_fn *const lsu_load_fns[MEM_KINDS], *const lsu_store_fns[MEM_KINDS];
sim_fn alu_constant, alu_constant_pair, alu_move, alu_nop;
sim_fn ctrl_jal_near, ctrl_jal_far, ctrl_jalr, ctrl_setrpc, ctrl_setrpc_checked;
sim_fn ctrl_join_checked, ctrl_endprg, bind_illegal;
sim_fn ctrl_branch_any, ctrl_thread_branch_any, csr_read_constant;

/* Whether any operand is one. */
bool
bind_has_vector(const struct ventus_isa_insn *in);
