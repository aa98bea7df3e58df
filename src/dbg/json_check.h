/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/diag.h"

/*
 * Whether text is lines of JSON, a value each; else an error in the sink that
 * says where and what was expected.
 */
bool
json_check_lines(const char *file, const char *text, struct diag_sink *sink);
