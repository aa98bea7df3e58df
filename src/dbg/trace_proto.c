/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of Perfetto's own format: a file is a list of TracePacket messages,
 * encoded as protocol buffers.  Numbers of fields are those of perfetto_trace.proto. */
#include <assert.h>
#include <string.h>

#include "base/buf.h"
#include "base/defer.h"
#include "dbg/trace_file.h"

enum {
    TRACE_PACKET = 1,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10, /* trusted_packet_sequence_id */
    PACKET_EVENT = 11,
    PACKET_DESCRIPTOR = 60,
    DESCRIPTOR_UUID = 1,
    DESCRIPTOR_NAME = 2,
    DESCRIPTOR_PROCESS = 3,
    DESCRIPTOR_THREAD = 4,
    DESCRIPTOR_COUNTER = 8,
    PROCESS_PID = 1,
    PROCESS_NAME = 6,
    THREAD_PID = 1,
    THREAD_TID = 2,
    THREAD_NAME = 5,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_NAME = 23,
    EVENT_VALUE = 30,
    TYPE_BEGIN = 1,
    TYPE_END = 2,
    TYPE_COUNTER = 4,
    WIRE_VARINT = 0,
    WIRE_BYTES = 2,
    CYCLE_NS = 1000
};

static void
put_number(struct buf *b, unsigned field, uint64_t value)
{
    buf_uleb128(b, field << 3 | WIRE_VARINT);
    buf_uleb128(b, value);
}

static void
put_bytes(struct buf *b, unsigned field, const void *bytes, size_t n)
{
    buf_uleb128(b, field << 3 | WIRE_BYTES);
    buf_uleb128(b, n);
    buf_put(b, bytes, n);
}

static void
put_text(struct buf *b, unsigned field, const char *text)
{
    put_bytes(b, field, text, strlen(text));
}

/* Appends a message as a field of another one, and empties it. */
static void
put_message(struct buf *b, unsigned field, struct buf *message)
{
    put_bytes(b, field, message->at, message->n);
    buf_free(message);
}

static void
write_packet(FILE *out, struct buf *packet)
{
    assert(packet->n > 0);
    struct buf b = { 0 };
    struct oom_cleanup free_b;
    oom_defer_buf(&free_b, &b);
    put_number(packet, PACKET_SEQUENCE, 1);
    put_message(&b, TRACE_PACKET, packet);
    fwrite(b.at, 1, b.n, out);
    oom_release(&free_b);
}

static void
write_descriptor(FILE *out, struct buf *descriptor)
{
    struct buf packet = { 0 };
    struct oom_cleanup free_packet;
    oom_defer_buf(&free_packet, &packet);
    put_message(&packet, PACKET_DESCRIPTOR, descriptor);
    write_packet(out, &packet);
    oom_release(&free_packet);
}

static void
open_proto(struct trace_file *to)
{
    static const char *const counters[] = { "resident warps",
                                            "memory requests" };
    for (unsigned i = 0; i < 2; i++) {
        struct buf d = { 0 }, counter = { 0 };
        struct oom_cleanup free_d;
        oom_defer_buf(&free_d, &d);
        put_number(&d, DESCRIPTOR_UUID, TRACK_COUNTER + i);
        put_text(&d, DESCRIPTOR_NAME, counters[i]);
        put_message(&d, DESCRIPTOR_COUNTER, &counter);
        write_descriptor(to->out, &d);
        oom_release(&free_d);
    }
}

static void
name_proto(struct trace_file *to, unsigned track, const char *process,
           const char *thread)
{
    unsigned pid = track / TRACK_THREADS;
    struct buf d = { 0 }, p = { 0 }, t = { 0 };
    struct oom_cleanup cleanup[3];
    oom_defer_buf(&cleanup[0], &d);
    oom_defer_buf(&cleanup[1], &p);
    oom_defer_buf(&cleanup[2], &t);
    put_number(&p, PROCESS_PID, pid);
    put_text(&p, PROCESS_NAME, process);
    put_number(&d, DESCRIPTOR_UUID, pid * TRACK_THREADS);
    put_message(&d, DESCRIPTOR_PROCESS, &p);
    write_descriptor(to->out, &d);
    put_number(&t, THREAD_PID, pid);
    put_number(&t, THREAD_TID, track);
    put_text(&t, THREAD_NAME, thread);
    put_number(&d, DESCRIPTOR_UUID, track);
    put_message(&d, DESCRIPTOR_THREAD, &t);
    write_descriptor(to->out, &d);
    for (int i = 2; i >= 0; i--)
        oom_release(&cleanup[i]);
}

static void
write_event(FILE *out, unsigned type, unsigned track, uint64_t at,
            const char *name, const uint64_t *value)
{
    struct buf packet = { 0 }, e = { 0 };
    struct oom_cleanup free_packet, free_e;
    oom_defer_buf(&free_packet, &packet);
    oom_defer_buf(&free_e, &e);
    put_number(&e, EVENT_TYPE, type);
    put_number(&e, EVENT_TRACK, track);
    if (name)
        put_text(&e, EVENT_NAME, name);
    if (value)
        put_number(&e, EVENT_VALUE, *value);
    put_number(&packet, PACKET_TIMESTAMP, at * CYCLE_NS);
    put_message(&packet, PACKET_EVENT, &e);
    write_packet(out, &packet);
    oom_release(&free_e);
    oom_release(&free_packet);
}

static void
begin_proto(struct trace_file *to, unsigned track, uint64_t at,
            const char *name)
{
    write_event(to->out, TYPE_BEGIN, track, at, name, NULL);
}

static void
end_proto(struct trace_file *to, unsigned track, uint64_t at)
{
    write_event(to->out, TYPE_END, track, at, NULL, NULL);
}

static void
count_proto(struct trace_file *to, unsigned track, uint64_t at,
            const char *name, uint64_t value)
{
    (void)name;
    write_event(to->out, TYPE_COUNTER, track, at, NULL, &value);
}

static void
close_proto(struct trace_file *to)
{
    (void)to;
}

const struct trace_writer trace_proto = {
    .open = open_proto,
    .name = name_proto,
    .begin = begin_proto,
    .end = end_proto,
    .count = count_proto,
    .close = close_proto,
};
