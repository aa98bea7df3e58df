/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/capture/rerun.h"

#include <stdio.h>

#include "base/oom.h"
#include "dev/capture/replay.h"

struct rerun {
    struct ventus_dev *dev;
    const struct past_launch *past;
    bool (*debug)(void *ctx, struct ventus_dev *d);
    void *ctx;
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
rerun_explain(struct rerun *v, const char *why)
{
    snprintf(v->text, v->size, "%s", why);
}

/* Takes memory. */
static void
rerun_prepare(void *ctx)
{
    struct rerun *v = ctx;
    struct ventus_dev_options options = { .config = NULL };
    v->sink.arena = &v->arena;
    const char *path = arena_printf(&v->arena, "/proc/self/fd/%d", v->past->fd);
    v->recording = recording_open(path, &v->sink);
    bool read = v->recording && recording_memory_read(&v->memory, v->recording,
                                                      0, false, &v->sink);
    if (read) {
        options.set = replay_settings(&v->arena, &v->memory.launch, false,
                                      &options.n_set);
        v->dev = ventus_dev_open(&options);
        if (!v->dev || !v->debug(v->ctx, v->dev)) {
            rerun_explain(v, ventus_dev_message());
            return;
        }
        v->ready = replay_restore(&v->replay, v->dev, v->recording,
                                  v->past->program, &v->memory, &v->sink);
    }
    if (!v->ready)
        rerun_explain(v, v->sink.first ? v->sink.first->message : "");
}

static void
drop_print(void *ctx, const void *records, size_t size)
{
    (void)ctx, (void)records, (void)size;
}

bool
rerun_launch(const struct past_launch *past,
             bool (*debug)(void *ctx, struct ventus_dev *d), void *ctx,
             char *text, size_t size)
{
    struct rerun v = {
        .past = past, .debug = debug, .ctx = ctx, .text = text, .size = size
    };
    static const struct ventus_dev_hooks quiet = { .print = drop_print };
    struct ventus_dev_result result;
    bool ok = false;
    rerun_explain(&v, "out of host memory");
    if (oom_call(rerun_prepare, &v) && v.ready) {
        if (v.memory.launch.prints)
            v.replay.launch.hooks = &quiet;
        ok = ventus_dev_run(v.dev, &v.replay.launch, &result);
        if (!ok)
            rerun_explain(&v, result.message);
    }
    replay_free(&v.replay);
    ventus_dev_close(v.dev);
    recording_memory_free(&v.memory);
    recording_close(v.recording);
    arena_free(&v.arena);
    return ok;
}
