/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

/*
 * Writes a self-contained page that shows launches.  `lines` is the output of
 * `ventus exec --json --stats --hot`, a line for each launch.
 */
void
html_report(FILE *out, const char *lines);

/* A page from a template: `data`, which is JSON, in the place of @DATA@. */
void
html_page(FILE *out, const char *page, const char *data);
