/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

/*
 * Writes a self-contained page that shows launches.  `lines` is the output of
 * `ventus exec --json --stats --hot`, a line for each launch.
 */
void
html_report(FILE *out, const char *lines);

/* Writes a page from a template, with `data`, which is JSON, in place of @DATA@. */
void
html_page(FILE *out, const char *page, const char *data);
