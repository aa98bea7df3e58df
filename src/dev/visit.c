/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/visit.h"

#include <stdio.h>

#include "base/oom.h"
#include "dev/replay.h"

struct visit {
    struct ventus_dev *present, *dev;
    const struct past_launch *past;
    bool (*debugs)(struct ventus_dev *d, const struct ventus_dev *present);
    struct arena arena;
    struct diag_sink sink;
    struct recording *recording;
    struct recording_memory memory;
    struct replay replay;
    bool ready;
    char *text;
    size_t size;
};

static void
explain(struct visit *v, const char *why)
{
    snprintf(v->text, v->size, "%s", why);
}

static void
explain_sink(struct visit *v)
{
    explain(v, v->sink.first ? v->sink.first->message : "");
}

static bool
open_device(struct visit *v)
{
    struct ventus_dev_options options = { .config = NULL };
    options.set =
        replay_settings(&v->arena, &v->memory.launch, false, &options.n_set);
    v->dev = ventus_dev_open(&options);
    return v->dev && v->debugs(v->dev, v->present);
}

/* Takes memory. */
static void
prepare(void *ctx)
{
    struct visit *v = ctx;
    v->sink.arena = &v->arena;
    const char *path = arena_printf(&v->arena, "/proc/self/fd/%d", v->past->fd);
    v->recording = recording_open(path, &v->sink);
    if (!v->recording ||
        !recording_memory_read(&v->memory, v->recording, 0, false, &v->sink)) {
        explain_sink(v);
        return;
    }
    if (!open_device(v)) {
        explain(v, ventus_dev_message());
        return;
    }
    v->ready = replay_restore(&v->replay, v->dev, v->recording,
                              v->past->program, &v->memory, &v->sink);
    if (!v->ready)
        explain_sink(v);
}

static void
drop_print(void *ctx, const void *records, size_t size)
{
    (void)ctx, (void)records, (void)size;
}

bool
visit_launch(struct ventus_dev *present, const struct past_launch *past,
             bool (*debugs)(struct ventus_dev *d,
                            const struct ventus_dev *present),
             char *text, size_t size)
{
    struct visit v = { .present = present,
                       .past = past,
                       .debugs = debugs,
                       .text = text,
                       .size = size };
    static const struct ventus_dev_hooks quiet = { .print = drop_print };
    struct ventus_dev_result result;
    bool ok = false;
    explain(&v, "out of host memory");
    if (oom_call(prepare, &v) && v.ready) {
        if (v.memory.launch.prints)
            v.replay.launch.hooks = &quiet;
        ok = ventus_dev_run(v.dev, &v.replay.launch, &result);
        if (!ok)
            explain(&v, result.message);
    }
    replay_free(&v.replay);
    ventus_dev_close(v.dev);
    recording_memory_free(&v.memory);
    recording_close(v.recording);
    arena_free(&v.arena);
    return ok;
}
