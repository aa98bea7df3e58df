/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

/* Prints launches as tables for a terminal; `lines` is JSON, as for html_report.
 * Launches of one kernel are summed up.  If `base` is not NULL, the tables show the
 * difference to it for each cause and each source line. */
void
report_text(FILE *out, const char *base, const char *lines);
