/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON trace-event format, an event on each line.  A cycle is a
 * microsecond. */
#include <assert.h>

#include "dbg/trace_file.h"

static struct json *
begin_event(struct trace_file *to, const char *phase, unsigned track)
{
    struct json *j = &to->json;
    assert(j->depth == 2 && "events are inside the array");
    json_new_line(j);
    json_object(j, NULL);
    json_string(j, "ph", phase);
    json_number(j, "pid", track / TRACK_THREADS);
    json_number(j, "tid", track % TRACK_THREADS);
    return j;
}

static void
put_name(struct trace_file *to, unsigned track, const char *what,
         const char *name)
{
    struct json *j = begin_event(to, "M", track);
    json_string(j, "name", what);
    json_object(j, "args");
    json_string(j, "name", name);
    json_end(j);
    json_end(j);
}

static void
open_json(struct trace_file *to)
{
    to->json = (struct json){ .out = to->out };
    json_object(&to->json, NULL);
    json_string(&to->json, "displayTimeUnit", "ns");
    json_array(&to->json, "traceEvents");
    put_name(to, 0, "process_name", "machine");
}

static void
name_json(struct trace_file *to, unsigned track, const char *process,
          const char *thread)
{
    put_name(to, track, "process_name", process);
    put_name(to, track, "thread_name", thread);
}

static void
begin_json(struct trace_file *to, unsigned track, uint64_t at, const char *name)
{
    struct json *j = begin_event(to, "B", track);
    json_number(j, "ts", at);
    json_string(j, "name", name);
    json_end(j);
}

static void
end_json(struct trace_file *to, unsigned track, uint64_t at)
{
    struct json *j = begin_event(to, "E", track);
    json_number(j, "ts", at);
    json_end(j);
}

static void
count_json(struct trace_file *to, unsigned track, uint64_t at, const char *name,
           uint64_t value)
{
    struct json *j = begin_event(to, "C", track);
    json_number(j, "ts", at);
    json_string(j, "name", name);
    json_object(j, "args");
    json_number(j, "value", value);
    json_end(j);
    json_end(j);
}

static void
close_json(struct trace_file *to)
{
    json_new_line(&to->json);
    json_end(&to->json);
    json_end(&to->json);
    assert(!to->json.depth && "all brackets are closed");
    fputc('\n', to->out);
}

const struct trace_writer trace_json = {
    .open = open_json,
    .name = name_json,
    .begin = begin_json,
    .end = end_json,
    .count = count_json,
    .close = close_json,
};
