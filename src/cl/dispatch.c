/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/dispatch.h"

#include <pthread.h>
#include <string.h>

#include "cl/log.h"

const cl_icd_dispatch *
dispatch_table(void)
{
    return log_sees_calls() ? dispatch_logged : dispatch_direct;
}

dispatch_entry *
dispatch_find(const char *name)
{
    for (const struct dispatch_extension *e = dispatch_extensions; e->name; e++)
        if (strcmp(name, e->name) == 0)
            return log_sees_calls() ? e->logged : e->direct;
    return NULL;
}

cl_int
dispatch_absent_code(void)
{
    return cl_answer(CL_INVALID_OPERATION, "this system does not have it");
}

void *
dispatch_absent_handle(void)
{
    cl_answer(CL_INVALID_OPERATION, "this system does not have it");
    return NULL;
}
