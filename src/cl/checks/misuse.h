/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/memory/mem.h"

/* Misuse of memory that the program shares with devices, for --check=api: changes
 * where it may only read, uses of memory of CL_MEM_USE_HOST_PTR without a map, maps
 * that are never ended.  Without these checks the functions do nothing. */

/* A snapshot: the bytes of a region as a map for reading showed them.  It is
 * reference-counted: the map and the command that fills it have one reference each. */
struct snapshot;

/* Makes a snapshot for a region of this size; NULL: checks are off, or no host memory. */
struct snapshot *
snapshot_new(const size_t region[3]);

/* Adds a reference; NULL does nothing. */
struct snapshot *
snapshot_ref(struct snapshot *s);

void
snapshot_unref(struct snapshot *s);

/* Takes the snapshot when the map is done: `at` is the first byte on the host, `box`
 * has its pitches. */
void
snapshot_take(struct snapshot *s, const char *at, const struct box *box,
              const size_t region[3]);

/* Reports changes by the program to a map for reading, which it unmaps. */
void
misuse_check_unmap(const struct mapping *mapping);

/* Reports a map that still exists at the end of the object or of the program. */
void
misuse_tell_mapped(const struct mapping *mapping);

/* Records that a kernel may have written its argument. */
void
misuse_note_kernel(cl_mem m, const char *kernel);

/* Records that a command or the program uses the results of kernels. */
void
misuse_note_use(cl_mem m);

/* Reports changes by the program to memory of CL_MEM_USE_HOST_PTR without a map, which
 * a kernel that begins does not see; `entry`: the entry that enqueued it. */
void
misuse_check_host(cl_mem m, cl_uint device, const char *kernel,
                  const char *entry);
