/* SPDX-License-Identifier: Apache-2.0 */
/* Programs and timings for callers that want the first message only. */
#include "tile/load.h"

#include <stdio.h>

#include "base/oom.h"

/* The first error, "NAME:LINE: what", into `text`. */
static void
say(const struct diag_sink *sink, char *text, size_t size)
{
    const struct diag *d = sink->first;
    if (!text || !size || !d)
        return;
    if (d->line)
        snprintf(text, size, "%s:%u: %s", d->file, d->line, d->message);
    else if (d->file)
        snprintf(text, size, "%s: %s", d->file, d->message);
    else
        snprintf(text, size, "%s", d->message);
}

bool
ventus_tile_load(struct ventus_tile_machine *m, const char *name,
                 const uint8_t *image, size_t size, char *text,
                 size_t text_size)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    bool ok = tile_load(m, name, image, size, &sink);
    say(&sink, text, text_size);
    arena_free(&a);
    return ok;
}

struct reading {
    struct ventus_tile_timing *timing;
    const char *name, *lines;
    struct diag_sink *sink;
    bool ok;
};

static void
read_lines(void *ctx)
{
    struct reading *r = ctx;
    r->ok = tile_read_timing(r->timing, r->name, r->lines, r->sink);
}

bool
ventus_tile_read_timing(struct ventus_tile_timing *t, const char *name,
                        const char *lines, char *text, size_t text_size)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct reading r = { t, name, lines, &sink, false };
    if (!oom_call(read_lines, &r))
        diag_out_of_memory(&sink);
    say(&sink, text, text_size);
    arena_free(&a);
    return r.ok;
}
