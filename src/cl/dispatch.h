/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/api.h"

/* Everything else of the library is hidden. */
#define EXPORTED __attribute__((visibility("default")))

/*
 * The table that each object begins with: the entries themselves, or with
 * VENTUS_LOG_API set the same through the log.  No entry is NULL.
 */
const cl_icd_dispatch *
dispatch_table(void);

/* Both are made by gen.py from the header of the loader. */
extern const cl_icd_dispatch dispatch_direct, dispatch_logged;

/* For entries of other systems, whose types do not exist here. */
cl_int
dispatch_absent_code(void);

void *
dispatch_absent_handle(void);
