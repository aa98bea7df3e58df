/* SPDX-License-Identifier: Apache-2.0 */
#include "sanitize/rows.h"
#include "sim/cpu_level.h"

extern const struct sanitize_rows sanitize_rows_plain;
#ifdef SANITIZE_HAS_LEVELS
extern const struct sanitize_rows sanitize_rows_v3;
#endif

const struct sanitize_rows *
sanitize_rows_select(void)
{
#ifdef SANITIZE_HAS_LEVELS
    if (cpu_has_level("v3"))
        return &sanitize_rows_v3;
#endif
    return &sanitize_rows_plain;
}
