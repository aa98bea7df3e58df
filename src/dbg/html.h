/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

/*
 * A page that shows launches, complete in itself: `lines` are what
 * `ventus exec --json --stats --hot` prints, a launch each.
 */
void
html_report(FILE *out, const char *lines);

/* A page from a template: `data`, which is JSON, in the place of @DATA@. */
void
html_page(FILE *out, const char *page, const char *data);
