/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/extract.h"

#include <errno.h>
#include <string.h>

#include "base/map.h"
#include "recording/pages.h"
#include "recording/writer.h"

struct extracting {
    struct recording *from;
    struct recording_writer *to;
    struct recording_memory *memory;
    struct diag_sink *sink;
    struct arena arena;
    struct map number; /* page -> its new number */
};

/* Copies a page and returns its new number; 0: an error, which is reported. */
static uint64_t
copy_page(struct extracting *k, uint64_t page)
{
    uint8_t bytes[RECORDING_PAGE];
    void **at = map_put_number(&k->arena, &k->number, page);
    if (*at)
        return (uintptr_t)*at;
    if (!recording_read_page(k->from, page, bytes, k->sink))
        return 0;
    uint64_t number = recording_writer_page(k->to, bytes);
    *at = (void *)(uintptr_t)number;
    return number;
}

static bool
copy_piece(struct extracting *k, const struct recording_piece *p,
           struct recording_range *to)
{
    *to = p->range;
    to->runs = (struct recording_runs){ 0 };
    for (uint64_t i = 0; p->content && i < p->pages; i++) {
        uint64_t content = p->content[i];
        if (!content)
            continue;
        uint64_t number = copy_page(k, content);
        if (!number)
            return false;
        pages_add(&k->arena, &to->runs, i, number);
    }
    return true;
}

static bool
copy_launch(struct extracting *k)
{
    const struct recording_memory *m = k->memory;
    struct recording_launch l = m->launch;
    struct recording_range *range =
        arena_new(&k->arena, struct recording_range, m->n);
    size_t size;
    const uint8_t *elf =
        recording_read_program(k->from, l.program, &k->arena, &size, k->sink);
    if (!elf)
        return false;
    l.program = recording_writer_program(k->to, elf, size);
    l.range = range;
    l.n_released = 0;
    for (size_t i = 0; i < m->n; i++)
        if (!copy_piece(k, m->piece[i], &range[i]))
            return false;
    recording_writer_launch(k->to, &l);
    if (m->result.message) {
        struct recording_result e = m->result;
        e.has_memory = false;
        e.n_ranges = 0;
        recording_writer_result(k->to, &e);
    }
    return true;
}

bool
recording_extract(struct recording *r, size_t i, const char *path,
                  struct diag_sink *sink)
{
    struct recording_memory m = { .n = 0 };
    struct extracting k = { .from = r, .memory = &m, .sink = sink };
    bool ok = recording_memory_read(&m, r, i, false, sink);
    if (ok) {
        k.to = recording_writer_open(path);
        bool copied = k.to && copy_launch(&k);
        int why = errno;
        ok = copied;
        if (k.to && !recording_writer_close(k.to, copied)) {
            ok = false;
            why = errno;
        }
        if (!ok && !sink->errors)
            diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = path },
                        "not written: %s", strerror(why));
    }
    recording_memory_free(&m);
    arena_free(&k.arena);
    return ok;
}
