/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Products that make an element of a matrix product, of warps of so many threads
 * (tc_dim of the Chisel design; 2: there is no such instruction). */
static inline unsigned
sim_tensor_depth(unsigned num_thread)
{
    return num_thread == 32 ? 8 : num_thread == 8 ? 4 : 2;
}
