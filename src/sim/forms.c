/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of scalar and control instructions, as a translator sees them. */
#include "sim/bind.h"
#include "sim/native.h"

const struct native_known native_known[] = {
    { alu_move, NATIVE_MOVE, NATIVE_GOES_ON },
    { alu_constant, NATIVE_CONSTANT, NATIVE_GOES_ON },
    { alu_constant_pair, NATIVE_PAIR_CONSTANT, NATIVE_GOES_ON },
    { alu_nop, NATIVE_NOP, NATIVE_GOES_ON },
    { csr_read_constant, NATIVE_CSR, NATIVE_GOES_ON },
    { ctrl_jal_near, NATIVE_JUMP, NATIVE_GOES_ON },
    { ctrl_join_checked, NATIVE_JOIN, NATIVE_GOES_ON },
    { ctrl_setrpc, NATIVE_SETRPC, NATIVE_GOES_ON },
    { ctrl_setrpc_checked, NATIVE_SETRPC, NATIVE_GOES_ON },
    { ctrl_branch_any, NATIVE_PAIR_BRANCH, NATIVE_GOES_ON },
    { ctrl_thread_branch_any, NATIVE_PAIR_THREAD_BRANCH, NATIVE_GOES_ON },
    { ctrl_jal_far, NATIVE_OTHER, NATIVE_FAR },
    { ctrl_jalr, NATIVE_INDIRECT_JUMP, NATIVE_INDIRECT },
    { ctrl_endprg, NATIVE_OTHER, NATIVE_ENDS },
    { bind_illegal, NATIVE_OTHER, NATIVE_ENDS },
    { NULL, NATIVE_OTHER, NATIVE_GOES_ON },
};
