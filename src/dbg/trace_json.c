/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON trace-event format.  Times are microseconds: cycles. */
#include <inttypes.h>

#include "dbg/json.h"
#include "dbg/trace_file.h"

/* Every line begins with what separates it from the one before. */
static void
put_head(FILE *out, char phase, unsigned track)
{
    fprintf(out, ",\n{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u", phase,
            track / TRACK_THREADS, track % TRACK_THREADS);
}

static void
put_name(FILE *out, unsigned track, const char *what, const char *name)
{
    put_head(out, 'M', track);
    fprintf(out, ",\"name\":\"%s\",\"args\":{\"name\":", what);
    json_string(out, name);
    fprintf(out, "}}");
}

static void
open_json(FILE *out)
{
    fprintf(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                 "{\"ph\":\"M\",\"pid\":0,\"name\":\"process_name\","
                 "\"args\":{\"name\":\"machine\"}}");
}

static void
name_json(FILE *out, unsigned track, const char *process, const char *thread)
{
    put_name(out, track, "process_name", process);
    put_name(out, track, "thread_name", thread);
}

static void
begin_json(FILE *out, unsigned track, uint64_t at, const char *name)
{
    put_head(out, 'B', track);
    fprintf(out, ",\"ts\":%" PRIu64 ",\"name\":", at);
    json_string(out, name);
    fprintf(out, "}");
}

static void
end_json(FILE *out, unsigned track, uint64_t at)
{
    put_head(out, 'E', track);
    fprintf(out, ",\"ts\":%" PRIu64 "}", at);
}

static void
count_json(FILE *out, unsigned track, uint64_t at, const char *name,
           uint64_t value)
{
    put_head(out, 'C', track);
    fprintf(out, ",\"ts\":%" PRIu64 ",\"name\":", at);
    json_string(out, name);
    fprintf(out, ",\"args\":{\"value\":%" PRIu64 "}}", value);
}

static void
close_json(FILE *out)
{
    fprintf(out, "\n]}\n");
}

const struct trace_writer trace_json = {
    .open = open_json,
    .name = name_json,
    .begin = begin_json,
    .end = end_json,
    .count = count_json,
    .close = close_json,
};
