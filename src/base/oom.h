/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/* Ends the program: no memory for `count` objects of `size` bytes. */
_Noreturn void
base_out_of_memory(size_t count, size_t size);
