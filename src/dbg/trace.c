/* SPDX-License-Identifier: Apache-2.0 */
/* Makes tracks and slices from events, for every format. */
#include "dbg/trace.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "base/output.h"
#include "dbg/trace_file.h"

enum {
    SLOTS_MAX = 64,
    EVENTS_A_LOOK = 1024 /* events between two checks of the file's size */
};

/* The slices that are open on the track of a warp slot. */
struct warp_track {
    bool named, warp, state;
    uint64_t group;
    unsigned number;
};

struct trace {
    struct output output;
    struct trace_file file; /* output of the writer */
    const struct trace_writer *writer;
    struct konata *konata;
    struct event_log *log;
    struct trace_window window;
    char *kernel; /* kernel of the window */
    struct spots code;
    bool on; /* the current launch is in the window */
    uint64_t base, last;
    struct warp_track *tracks;
    const struct ventus_model_event *event; /* event that is being processed */
    bool incomplete;                        /* memory ran out */
    uint64_t *units; /* units of each SM whose track has a name, as bits */
    unsigned sms;
    unsigned resident;
    uint64_t launches, events;
    uint64_t longest; /* cycles of the longest launch of the window's kernel */
    bool shown;       /* an event was in the window */
    uint64_t cut_launch,
        /* End of the trace, where max_B was reached; launch 0: not reached. */
        cut_cycle;
};

static void
open_file(void *ctx)
{
    struct trace *t = ctx;
    if (t->writer)
        t->writer->open(&t->file);
}

struct trace *
trace_open(const char *path, enum trace_format format,
           const struct trace_window *window)
{
    struct trace *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->window = *window;
    t->kernel = window->kernel ? strdup(window->kernel) : NULL;
    bool named = t->kernel || !window->kernel;
    t->file.out = named ? output_stream(&t->output, path) : NULL;
    if (t->file.out && format == TRACE_KONATA)
        t->konata = konata_new(t->file.out);
    else if (t->file.out && format == TRACE_EVENTS)
        t->log = event_log_new(t->file.out);
    else if (t->file.out)
        t->writer = format == TRACE_JSON ? &trace_json : &trace_proto;
    bool made = t->konata || t->log || t->writer;
    if (!t->file.out || !made || !oom_call(open_file, t)) {
        int why = errno;
        t->incomplete = true;
        trace_close(t);
        errno = why;
        return NULL;
    }
    return t;
}

void
trace_begin(struct trace *t, const char *kernel)
{
    t->on = !t->kernel || strcmp(t->kernel, kernel) == 0;
    t->resident = 0;
    t->launches++;
    if (t->log && t->on)
        event_log_begin(t->log, kernel);
    spots_free(&t->code); /* the next launch may be of another program */
}

static unsigned
warp_track(unsigned sm, unsigned slot)
{
    return (TRACK_SMS + sm) * TRACK_THREADS + slot + 1;
}

/* Allocates the tracks of SMs up to this one. */
static void
need_sm(struct trace *t, unsigned sm)
{
    if (sm < t->sms)
        return;
    struct warp_track *tracks =
        realloc(t->tracks, (sm + 1) * SLOTS_MAX * sizeof *t->tracks);
    if (!tracks)
        base_out_of_memory((sm + 1) * SLOTS_MAX, sizeof *t->tracks);
    t->tracks = tracks;
    uint64_t *units = realloc(t->units, (sm + 1) * sizeof *t->units);
    if (!units)
        base_out_of_memory(sm + 1, sizeof *t->units);
    t->units = units;
    memset(t->tracks + t->sms * SLOTS_MAX, 0,
           (sm + 1 - t->sms) * SLOTS_MAX * sizeof *t->tracks);
    memset(t->units + t->sms, 0, (sm + 1 - t->sms) * sizeof *t->units);
    t->sms = sm + 1;
}

static void
name_track(struct trace *t, unsigned track, unsigned sm, const char *thread)
{
    char process[24];
    snprintf(process, sizeof process, "SM %u", sm);
    t->writer->name(&t->file, track, process, thread);
}

/* Opens the slice of the warp that is in a slot, unless it is open. */
static struct warp_track *
open_warp(struct trace *t, const struct ventus_model_event *e)
{
    assert(e->sm < t->sms && e->warp < SLOTS_MAX);
    char text[64];
    struct warp_track *l = &t->tracks[e->sm * SLOTS_MAX + e->warp];
    unsigned track = warp_track(e->sm, e->warp);
    if (!l->named) {
        snprintf(text, sizeof text, "warp slot %u", e->warp);
        name_track(t, track, e->sm, text);
        l->named = true;
    }
    if (!l->warp) {
        snprintf(text, sizeof text, "workgroup %llu, warp %u",
                 (unsigned long long)l->group, l->number);
        t->writer->begin(&t->file, track, t->base + e->cycle, text);
        l->warp = true;
    }
    return l;
}

static void
show_state(struct trace *t, const struct ventus_model_event *e,
           const char *name)
{
    struct warp_track *l = open_warp(t, e);
    unsigned track = warp_track(e->sm, e->warp);
    if (l->state)
        t->writer->end(&t->file, track, t->base + e->cycle);
    t->writer->begin(&t->file, track, t->base + e->cycle, name);
    l->state = true;
}

static void
close_warp(struct trace *t, unsigned sm, unsigned slot, uint64_t cycle)
{
    assert(sm < t->sms && slot < SLOTS_MAX);
    struct warp_track *l = &t->tracks[sm * SLOTS_MAX + slot];
    assert((l->warp || !l->state) &&
           "the slice of a state is inside that of its warp");
    unsigned track = warp_track(sm, slot);
    if (l->state)
        t->writer->end(&t->file, track, t->base + cycle);
    if (l->warp)
        t->writer->end(&t->file, track, t->base + cycle);
    l->state = l->warp = false;
}

/* Shows that a unit takes an instruction: a slice of one cycle. */
static void
show_unit(struct trace *t, const struct ventus_model_event *e, const char *text)
{
    assert(e->sm < t->sms && e->unit < VENTUS_ISA_UNIT_COUNT);
    unsigned track =
        (TRACK_SMS + e->sm) * TRACK_THREADS + TRACK_UNITS + e->unit;
    if (!(t->units[e->sm] >> e->unit & 1))
        name_track(t, track, e->sm, ventus_isa_unit_names[e->unit]);
    t->units[e->sm] |= UINT64_C(1) << e->unit;
    t->writer->begin(&t->file, track, t->base + e->cycle, text);
    t->writer->end(&t->file, track, t->base + e->cycle + 1);
}

static void
show_count(struct trace *t, uint64_t cycle, unsigned which, const char *name,
           uint64_t value)
{
    t->writer->count(&t->file, TRACK_COUNTER + which, t->base + cycle, name,
                     value);
}

static void
show_event(struct trace *t, const struct ventus_model_event *e,
           const char *text)
{
    switch (e->kind) {
    case VENTUS_MODEL_EVENT_WAIT:
        if (e->why != VENTUS_MODEL_ISSUED)
            show_state(t, e, ventus_model_stall_names[e->why]);
        return;
    case VENTUS_MODEL_EVENT_ISSUED:
        show_state(t, e, text);
        return;
    case VENTUS_MODEL_EVENT_STARTED:
        show_unit(t, e, text);
        return;
    case VENTUS_MODEL_EVENT_WARP:
        show_count(t, e->cycle, 0, "resident warps", t->resident);
        return;
    case VENTUS_MODEL_EVENT_WARP_END:
        close_warp(t, e->sm, e->warp, e->cycle);
        show_count(t, e->cycle, 0, "resident warps", t->resident);
        return;
    case VENTUS_MODEL_EVENT_REQUEST:
    case VENTUS_MODEL_EVENT_ANSWER:
        show_count(t, e->cycle, 1, "memory requests", e->number);
        return;
    case VENTUS_MODEL_EVENT_GROUP:
    case VENTUS_MODEL_EVENT_FETCHED:
    case VENTUS_MODEL_EVENT_FLUSHED:
    case VENTUS_MODEL_EVENT_DONE:
    case VENTUS_MODEL_EVENT_SLOT:
    case VENTUS_MODEL_EVENT_ACCESS:
    case VENTUS_MODEL_EVENT_GROUP_END:
    case VENTUS_MODEL_EVENT_KERNEL_END:
        return;
    }
}

/* Updates the state that later events need, whether this one is shown or not. */
static void
follow_state(struct trace *t, const struct ventus_model_event *e)
{
    if (e->kind == VENTUS_MODEL_EVENT_WARP) {
        assert(e->warp < SLOTS_MAX);
        struct warp_track *l = &t->tracks[e->sm * SLOTS_MAX + e->warp];
        l->group = e->group;
        l->number = e->number;
        t->resident++;
    } else if (e->kind == VENTUS_MODEL_EVENT_WARP_END) {
        assert(t->resident > 0 && "a warp ends once");
        t->resident--;
    }
}

static bool
in_window(const struct trace *t, const struct ventus_model_event *e)
{
    const struct trace_window *w = &t->window;
    bool shared = e->kind == VENTUS_MODEL_EVENT_REQUEST ||
                  e->kind == VENTUS_MODEL_EVENT_ANSWER ||
                  e->kind == VENTUS_MODEL_EVENT_KERNEL_END;
    return t->on && !t->cut_launch && e->cycle >= w->from &&
           (!w->to || e->cycle <= w->to) &&
           (!w->one_sm || shared || e->sm == w->sm);
}

/* Ends the timelines once the file has its maximal size; a pipe has no size. */
static void
bound_size(struct trace *t, uint64_t cycle)
{
    if (!t->window.max_B || t->log || t->cut_launch ||
        t->events++ % EVENTS_A_LOOK)
        return;
    off_t size = ftello(t->file.out);
    if (size < 0 || (uint64_t)size < t->window.max_B)
        return;
    t->cut_launch = t->launches;
    t->cut_cycle = cycle;
    if (t->konata)
        konata_end(t->konata, t->base + cycle);
    for (unsigned i = 0; t->writer && i < t->sms * SLOTS_MAX; i++)
        close_warp(t, i / SLOTS_MAX, i % SLOTS_MAX, cycle);
}

static void
take_event(void *ctx)
{
    struct trace *t = ctx;
    const struct ventus_model_event *e = t->event;
    need_sm(t, e->sm);
    if (in_window(t, e)) {
        t->shown = true;
        bound_size(t, e->cycle);
    }
    bool names = !t->log && (e->kind == VENTUS_MODEL_EVENT_ISSUED ||
                             e->kind == VENTUS_MODEL_EVENT_STARTED);
    struct spot *row = names ? spots_at(&t->code, e->pc) : NULL;
    if (names && !row)
        base_out_of_memory(1, sizeof *row);
    if (row && e->kind == VENTUS_MODEL_EVENT_ISSUED)
        spot_name(row, e->step);
    const char *text = row ? row->text : "";
    follow_state(t, e);
    if (t->log)
        event_log_event(t->log, e, in_window(t, e));
    else if (t->konata && !t->cut_launch)
        konata_event(t->konata, e, t->base + e->cycle, text, in_window(t, e));
    else if (t->konata)
        return;
    else if (in_window(t, e))
        show_event(t, e, text);
    /* A slice ends where the window ends. */
    else if (e->kind == VENTUS_MODEL_EVENT_WAIT && t->window.to &&
             e->cycle > t->window.to)
        close_warp(t, e->sm, e->warp, t->window.to + 1);
    else if (e->kind == VENTUS_MODEL_EVENT_WARP_END)
        close_warp(t, e->sm, e->warp, e->cycle);
}

void
trace_event(void *ctx, const struct ventus_model_event *e)
{
    struct trace *t = ctx;
    bool ends = /* the end of the launch */
        e->kind == VENTUS_MODEL_EVENT_GROUP_END ||
        e->kind == VENTUS_MODEL_EVENT_KERNEL_END;
    if (!ends && e->cycle >= t->last)
        t->last = e->cycle + 1;
    t->event = e;
    if (e->kind != VENTUS_MODEL_EVENT_SLOT && !oom_call(take_event, t))
        t->incomplete = true;
}

static void
end_launch(void *ctx)
{
    struct trace *t = ctx;
    if (t->konata)
        konata_end(t->konata, t->base + t->last);
    for (unsigned i = 0; t->writer && i < t->sms * SLOTS_MAX; i++)
        close_warp(t, i / SLOTS_MAX, i % SLOTS_MAX, t->last);
}

void
trace_end(struct trace *t)
{
    if (!oom_call(end_launch, t))
        t->incomplete = true;
    if (t->on && t->last > t->longest)
        t->longest = t->last;
    t->base += t->last;
    t->last = 0;
}

bool
trace_was_cut(const struct trace *t, uint64_t *launch, uint64_t *cycle)
{
    *launch = t->cut_launch;
    *cycle = t->cut_cycle;
    return t->cut_launch > 0;
}

bool
trace_is_empty(const struct trace *t, uint64_t *longest)
{
    *longest = t->longest;
    return t->longest && !t->shown;
}

bool
trace_close(struct trace *t)
{
    bool ok;
    if (!t)
        return true;
    if (t->file.out && t->writer)
        t->writer->close(&t->file);
    ok = output_close(&t->output, !t->incomplete) && !t->incomplete;
    int why = t->incomplete ? ENOMEM : errno;
    konata_free(t->konata);
    event_log_free(t->log);
    spots_free(&t->code);
    free(t->kernel);
    free(t->tracks);
    free(t->units);
    free(t);
    errno = why;
    return ok;
}
