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

/* The entries of extensions of other systems, whose types do not exist here. */
cl_int
dispatch_absent_code(void);

void *
dispatch_absent_handle(void);
