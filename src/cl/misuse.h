/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/mem.h"

/*
 * Mistakes of the program with memory that it shares with devices, for --check=api: what
 * it changes where it may only read, memory of CL_MEM_USE_HOST_PTR that it uses without
 * a map, maps that it never ends.  Without these checks all of it does nothing.
 */

/* Bytes of a region as a map for reading showed them.  It is counted: the map and the
 * command that fills it have one reference each. */
struct snapshot;

/* Of a region of this size; NULL: no checks are wanted, or no host memory. */
struct snapshot *
snapshot_new(const size_t region[3]);

/* One more reference; NULL does nothing. */
struct snapshot *
snapshot_ref(struct snapshot *s);

void
snapshot_unref(struct snapshot *s);

/* The map has been done: `at` is the first byte on the host, `box` has its pitches. */
void
snapshot_take(struct snapshot *s, const char *at, const struct box *box,
              const size_t region[3]);

/* The program unmaps it: reports what it has changed. */
void
misuse_check_unmap(const struct mapping *mapping);

/* The object goes, or the program ends, and it still has this map. */
void
misuse_tell_mapped(const struct mapping *mapping);

/* A kernel, which takes the object as an argument, may have written it. */
void
misuse_note_kernel(cl_mem m, const char *kernel);

/* What kernels left there is used: by another command, by the program. */
void
misuse_note_use(cl_mem m);

/* A kernel begins: has the program changed the memory of CL_MEM_USE_HOST_PTR without a
 * map, so that the kernel does not see it? */
void
misuse_check_host(cl_mem m, cl_uint device, const char *kernel);
