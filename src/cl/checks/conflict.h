/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev_check.h>

#include "cl/memory/mem.h"
#include "cl/queue/event.h"

/* Conflicts of commands, for --check=api: commands that access the same bytes, one of
 * them writing, with no event, barrier or wait between them (order.h).  A kernel's
 * bytes are those that it has accessed, not its arguments as a whole; atomic accesses
 * of two kernels do not conflict.  Each object, and the program for its own memory,
 * has a list of accesses; an access that is ordered before all later commands is
 * dropped.  A list at its limit drops the oldest access, so that a conflict may be
 * missed. */

/* Records the accessed bytes of an object, by ascending offset in its root. */
void
conflict_note(cl_event e, cl_mem m, const char *kernel,
              const struct ventus_dev_touch *range, size_t n);

/* Records one accessed range of an object. */
void
conflict_note_range(cl_event e, cl_mem m, size_t from, size_t size,
                    bool written);

/* Records accessed memory of the program, by ascending address. */
void
conflict_note_host(cl_event e, const struct ventus_dev_touch *range, size_t n);

/* Checks the bytes of an object, from a device address on, that a read has copied:
 * reports those that neither the program nor a kernel has written, except single ones,
 * which are padding. */
void
conflict_check_read(cl_event e, cl_mem m, uint64_t address, size_t size);

/* Records the accesses of a launch to one of its arguments, on a device. */
void
conflict_note_kernel(cl_event e, cl_mem m, const char *kernel,
                     const struct ventus_dev_touched *touched);

/* The entry of the API that enqueued or recorded the command. */
const char *
conflict_entry(cl_event e);

/* Describes the command: its entry of the API, and the caller. */
void
conflict_describe(cl_event e, const char *kernel, char *text, size_t capacity);
