/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/diag.h"

/* Checks that each line of text is a JSON value.  False: the sink gets an error with
 * the position and the syntax that was expected there. */
bool
json_check_lines(const char *file, const char *text, struct diag_sink *sink);
