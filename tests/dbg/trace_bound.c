/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines that end where their file is as large as it may be. */
#include "dbg/trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "dbg/json_check.h"
#include "test.h"

enum { MAX_B = 100000, LOOK_B = 1024 * 120, CYCLES = 20000 };

/* A warp that waits and issues in turn. */
static void
run_launch(struct trace *t)
{
    struct ventus_model_event e = { .kind = VENTUS_MODEL_EVENT_WARP };
    trace_begin(t, "kernel");
    trace_event(t, &e);
    for (e.cycle = 1; e.cycle < CYCLES; e.cycle++) {
        e.kind = VENTUS_MODEL_EVENT_WAIT;
        e.why = e.cycle % 2 ? VENTUS_MODEL_FETCH : VENTUS_MODEL_BARRIER;
        trace_event(t, &e);
    }
    e.kind = VENTUS_MODEL_EVENT_WARP_END;
    trace_event(t, &e);
    trace_end(t);
}

static char *
write_trace(struct arena *a, enum trace_format format, uint64_t max_B,
            size_t *size, uint64_t *launch, uint64_t *cycle)
{
    struct trace_window window = { .max_B = max_B };
    struct diag_sink sink = { .arena = a };
    char path[] = "/tmp/trace_bound_XXXXXX";
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    struct trace *t = trace_open(path, format, &window);
    CHECK(t);
    run_launch(t);
    run_launch(t);
    bool cut = trace_was_cut(t, launch, cycle);
    CHECK_EQ(cut, *launch > 0);
    CHECK(trace_close(t));
    char *text = (char *)file_read(a, path, size, &sink);
    unlink(path);
    return text;
}

static unsigned
count(const char *text, const char *what)
{
    unsigned n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

TEST(json_ends_at_its_bound_as_json)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    size_t size, whole;
    uint64_t launch, cycle;
    char *text = write_trace(&a, TRACE_JSON, 0, &whole, &launch, &cycle);
    CHECK_EQ(launch, 0);
    CHECK_EQ(count(text, "\"ph\":\"B\""), 2 * CYCLES);
    text = write_trace(&a, TRACE_JSON, MAX_B, &size, &launch, &cycle);
    CHECK_EQ(launch, 1);
    CHECK(cycle > 100 && cycle < CYCLES);
    CHECK(size >= MAX_B && size < MAX_B + LOOK_B && size < whole);
    for (char *c = text; *c; c++) /* json_check_lines takes a value a line */
        *c = *c == '\n' ? ' ' : *c;
    CHECK(json_check_lines("trace", text, &sink));
    CHECK_EQ(count(text, "\"ph\":\"B\""), count(text, "\"ph\":\"E\""));
    arena_free(&a);
}

TEST(a_second_launch_is_left_out_where_the_first_fills_the_file)
{
    struct arena a = { 0 };
    size_t size, whole;
    uint64_t launch, cycle;
    write_trace(&a, TRACE_PROTO, 0, &whole, &launch, &cycle);
    write_trace(&a, TRACE_PROTO, whole / 2 + LOOK_B, &size, &launch, &cycle);
    CHECK_EQ(launch, 2);
    CHECK(size < whole);
    arena_free(&a);
}

/* Konata refuses an empty file. */
TEST(konata_without_an_instruction_has_its_head)
{
    struct arena a = { 0 };
    size_t size;
    uint64_t launch, cycle;
    char *text = write_trace(&a, TRACE_KONATA, 0, &size, &launch, &cycle);
    static const char head[] = "Kanata\t0004\nC=\t";
    CHECK(strncmp(text, head, sizeof head - 1) == 0);
    arena_free(&a);
}

TEST_MAIN
