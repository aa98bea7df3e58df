/* SPDX-License-Identifier: Apache-2.0 */
/* A launch in a recording of its own: one that failed, or one to go back to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "base/text.h"
#include "dev/device.h"
#include "dev/recorder_state.h"
#include "obj/elf.h"

/* What the launch found there. */
void
recorder_write_host_copies(struct running *r, struct recording_writer *w)
{
    for (size_t i = 0; r->found && i < r->launch.n_ranges; i++) {
        const struct pages p = { .now = r->found[i],
                                 .n = r->range[i].room / RECORDING_PAGE,
                                 .writer = w };
        r->range[i].runs =
            r->found[i] ? (struct recording_runs){ 0 } : r->range[i].runs;
        if (r->found[i])
            pages_compare(&r->arena, &p, &r->range[i].runs);
    }
}

/* The launch by itself, from the copies: memory has changed since. */
static void
write_alone(void *ctx)
{
    const struct recorder_ending *e = ctx;
    struct recorder_device *k = e->ticket->dev->recorder;
    struct running *r = &k->running;
    const struct elf *elf = program_elf(e->ticket->launch.kernel->program);
    r->launch.program =
        recording_writer_program(e->writer, elf->image, elf->size);
    r->launch.n_released = 0;
    for (size_t i = 0; i < r->launch.n_ranges; i++) {
        r->range[i].runs = (struct recording_runs){ 0 };
        if (r->tracked[i])
            tracked_all(&r->arena, r->tracked[i], e->writer, &r->range[i].runs);
    }
    recorder_write_host_copies(r, e->writer);
    recording_writer_launch(e->writer, &r->launch);
}

/* Only the first one: it is the cause of others. */
void
recorder_keep_fault(struct ventus_dev_ticket *t)
{
    struct recorder *r = t->dev->recorder->recorder;
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
    struct recorder_device *k = t->dev->recorder;
    const struct ventus_dev_kernel *kernel = t->launch.kernel;
    struct recorder_ending e = { t, recording_writer_open(NULL) };
    int fd = -1;
    if (e.writer && oom_call(write_alone, &e))
        fd = recording_writer_take(e.writer);
    else
        recording_writer_close(e.writer, false);
    past_add(&k->past, fd, kernel->name, program_name(kernel->program));
}
