/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/diag.h"

/*
 * Whether each line of text is a JSON value; if not, the sink gets an error with
 * the place and what was expected there.
 */
bool
json_check_lines(const char *file, const char *text, struct diag_sink *sink);
