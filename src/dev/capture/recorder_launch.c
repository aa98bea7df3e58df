/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a launch; a launch in a recording of its own: one that failed, or one to
 * go back to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "base/text.h"
#include "dev/capture/recorder_state.h"
#include "dev/device.h"
#include "dev/program.h"
#include "obj/elf.h"

/* Writes the pages of the host as the launch found them. */
void
recorder_write_before_images(struct recorder_launch *r,
                             struct recording_writer *w)
{
    for (size_t i = 0; r->found && i < r->launch.n_ranges; i++) {
        const struct pages p = { .now = r->found[i],
                                 .n = r->range[i].capacity / RECORDING_PAGE,
                                 .writer = w };
        r->range[i].runs =
            r->found[i] ? (struct recording_runs){ 0 } : r->range[i].runs;
        if (r->found[i])
            pages_compare(&r->arena, &p, &r->range[i].runs);
    }
}

/* Writes the pages of the host that differ now, by the launch or by the host at the
 * same time. */
static void
compare_host(struct recorder_launch *r, size_t i, struct recording_writer *w,
             struct recording_runs *runs)
{
    size_t size = (size_t)r->range[i].capacity;
    uint8_t *copy = arena_new(&r->arena, uint8_t, size);
    memcpy(copy, r->found[i], size);
    const struct pages p = { .now = before_images_now(
                                 &r->arena, r->range[i].address, copy, size),
                             .copy = copy,
                             .n = size / RECORDING_PAGE,
                             .writer = w };
    pages_compare(&r->arena, &p, runs);
}

/* Pages that the launch changed: of what it could write. */
static void
compare_memory(struct recorder_device *k, struct recording_writer *w,
               struct recording_result *result)
{
    struct recorder_launch *r = &k->running;
    size_t n = r->launch.n_ranges;
    struct recording_range *range =
        arena_new(&r->arena, struct recording_range, n);
    for (size_t i = 0; i < n; i++) {
        bool host = r->found && r->found[i];
        if (!host && (!r->pages[i] || memory_is_read_only(r->range[i].flags)))
            continue;
        struct recording_range *to = &range[result->n_ranges++];
        *to = r->range[i];
        to->runs = (struct recording_runs){ 0 };
        to->n_written = 0;
        if (host)
            compare_host(r, i, w, &to->runs);
        else if (!dirty_compare(&r->arena, r->pages[i], r->now[i], w,
                                &to->runs))
            base_out_of_memory(1, (size_t)to->capacity);
    }
    result->range = range;
    result->has_memory = true;
}

void
recorder_write_result(void *ctx)
{
    const struct recorder_ending *e = ctx;
    struct ventus_dev_ticket *t = e->ticket;
    struct recorder_device *k = recorder_of(t->dev);
    const struct ventus_dev_result *r = &t->result;
    struct recording_result result = {
        .device = k->number,
        .ok = r->ok,
        .message = r->message,
        .fault = r->fault.kind ? r->fault.kind : "",
        .pc = r->fault.pc,
    };
    if (k->recorder->results && e->writer == k->recorder->writer)
        compare_memory(k, e->writer, &result);
    recording_writer_result(e->writer, &result);
}

/* The launch by itself, from the copies: memory has changed since. */
static void
write_alone(void *ctx)
{
    const struct recorder_ending *e = ctx;
    struct recorder_device *k = recorder_of(e->ticket->dev);
    struct recorder_launch *r = &k->running;
    const struct elf *elf = program_elf(e->ticket->launch.kernel->program);
    r->launch.program =
        recording_writer_program(e->writer, elf->image, elf->size);
    r->launch.n_released = 0;
    for (size_t i = 0; i < r->launch.n_ranges; i++) {
        r->range[i].runs = (struct recording_runs){ 0 };
        if (r->pages[i])
            dirty_all(&r->arena, r->pages[i], e->writer, &r->range[i].runs);
    }
    recorder_write_before_images(r, e->writer);
    recording_writer_launch(e->writer, &r->launch);
}

/* Keeps the first fault only: it is the cause of others. */
void
recorder_keep_fault(struct ventus_dev_ticket *t)
{
    struct recorder *r = recorder_of(t->dev)->recorder;
    char *message = t->result.message;
    struct recorder_ending e = { t, recording_writer_open(r->on_fault) };
    bool ok = e.writer && oom_call(write_alone, &e) &&
              oom_call(recorder_write_result, &e);
    if (e.writer && !ok)
        errno = ENOMEM;
    int why = errno;
    if (e.writer && !recording_writer_close(e.writer, ok)) {
        ok = false;
        why = errno;
    }
    if (ok)
        text_append(message, sizeof t->result.message,
                    "\nrecorded in %s (ventus replay)", r->on_fault);
    else
        text_append(message, sizeof t->result.message, "\n%s: not written: %s",
                    r->on_fault, strerror(why));
    free(r->on_fault);
    r->on_fault = NULL;
}

void
recorder_keep_past(struct ventus_dev_ticket *t)
{
    struct recorder_device *k = recorder_of(t->dev);
    const struct ventus_dev_kernel *kernel = t->launch.kernel;
    struct recorder_ending e = { t, recording_writer_open(NULL) };
    int fd = -1;
    if (e.writer && oom_call(write_alone, &e))
        fd = recording_writer_take(e.writer);
    else
        recording_writer_close(e.writer, false);
    past_add(&k->past, fd, kernel->name, program_name(kernel->program));
}
