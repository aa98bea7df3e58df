/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Checks of memory of this process that the application passes by address.  They
 * change nothing and never end the process.  Where the host's kernel does not answer,
 * as in a sandbox, they return true. */

/* Whether all of [at, at + size) is mapped.  The check costs a thousandth of copying
 * the bytes. */
bool
host_pages_are_mapped(const void *at, size_t size);

/* Whether the memory can be read, or written if `write`.  In ranges above 64 KiB only
 * the first and the last page are tested, which costs 2 us; testing all would cost as
 * much as the copy. */
bool
host_pages_permit(const void *at, size_t size, bool write);
