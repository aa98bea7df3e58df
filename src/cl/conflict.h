/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev_check.h>

#include "cl/event.h"
#include "cl/mem.h"

/*
 * Commands that access the same bytes, one of them writing, with no event, barrier or wait
 * between them (order.h), for --check=api.  Of kernels the bytes are those that they have
 * accessed, not their arguments as a whole; atomic accesses of two kernels are no conflict.
 * An object, and the program for its own memory, has a list of accesses; one that is
 * ordered before all that may come is dropped.  A list that grows too long drops the
 * oldest, so that a conflict may go unseen.
 */

/* The command has accessed these bytes of the object, by ascending place in its root. */
void
conflict_note(cl_event e, cl_mem m, const char *kernel,
              const struct ventus_dev_touch *range, size_t n);

/* The same of one range of the object. */
void
conflict_note_range(cl_event e, cl_mem m, size_t from, size_t size,
                    bool written);

/* The same of memory of the program, by ascending address. */
void
conflict_note_host(cl_event e, const struct ventus_dev_touch *range, size_t n);

/* A read has ended: reports bytes of the object, from an address on its device on, that
 * neither the program nor a kernel has written.  Single ones are padding. */
void
conflict_check_read(cl_event e, cl_mem m, uint64_t address, size_t size);

/* What a launch has accessed of its arguments, on a device. */
void
conflict_note_kernel(cl_event e, cl_mem m, const char *kernel,
                     const struct ventus_dev_touched *touched);

/* The command in words: the entry, and who called it. */
void
conflict_describe(cl_event e, const char *kernel, char *text, size_t room);
