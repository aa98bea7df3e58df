/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Memory of this process, which the application names by its address.  Nothing
 * of it is changed, and no look at it ends the process.  What the kernel of the
 * host does not tell, as in a sandbox, is taken to be as the caller wants it.
 */

/* Is something mapped at all of [at, at + size)?  It costs a thousandth of
 * copying as much. */
bool
host_pages_are_mapped(const void *at, size_t size);

/*
 * Can it be read, or written if `write`?  Of more than 64 KiB only the first
 * and the last page are tested, which costs 2 us; all of them would cost as
 * much as the copy.
 */
bool
host_pages_permit(const void *at, size_t size, bool write);
