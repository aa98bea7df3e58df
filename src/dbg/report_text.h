/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

/*
 * Launches as tables for a terminal; `lines` is JSON, as for html_report.  Launches
 * of one kernel are added up.  With `base`, which may be NULL: what each cause and
 * each source line takes more or less than there.
 */
void
report_text(FILE *out, const char *base, const char *lines);
