/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/api.h"

/* Exports an entry; everything else of the library is hidden. */
#define EXPORTED __attribute__((visibility("default")))

/* The table that each object begins with: the entries themselves, or with
 * VENTUS_LOG_API set their versions that log.  No entry is NULL. */
const cl_icd_dispatch *
dispatch_table(void);

/* Tables that gen.py makes from the header of the loader, with all entries of OpenCL 3.1
 * also where the header is older. */
extern const cl_icd_dispatch *const dispatch_direct, *const dispatch_logged;

/* An entry of an extension, and its version that logs. */
typedef void
dispatch_entry(void);
struct dispatch_extension {
    const char *name; /* NULL ends the list */
    dispatch_entry *direct, *logged;
};
extern const struct dispatch_extension dispatch_extensions[];

/* The entry of an extension with this name; NULL: none of ours. */
dispatch_entry *
dispatch_find(const char *name);

/* The entries of extensions of other systems, whose types do not exist here. */
cl_int
dispatch_absent_code(void);

void *
dispatch_absent_handle(void);
