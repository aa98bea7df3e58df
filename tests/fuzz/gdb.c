/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes as what a packet has, as the reader of packets gets them, and as an
 * agent expression.  What is put as a packet is read as the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/agent.h"
#include "gdb/packet.h"
#include "text.h"

static bool
read_register(void *ctx, unsigned number, uint64_t *value)
{
    (void)ctx;
    *value = number;
    return number < 100;
}

static bool
read_memory(void *ctx, uint64_t address, void *to, size_t size)
{
    (void)ctx;
    memset(to, (int)address & 255, size);
    return address % 3 != 0;
}

/* What was read, put as a packet, is read as the same. */
static void
read_again(const struct gdb_reader *r)
{
    static struct gdb_reader again;
    struct buf data = { 0 }, out = { 0 };
    enum gdb_event e = GDB_MORE;
    again = (struct gdb_reader){ .size = 0 };
    gdb_put_escaped(&data, r->data, r->size);
    gdb_put_packet(&out, data.at, data.n);
    for (size_t i = 0; i < out.n; i++)
        e = gdb_read_byte(&again, out.at[i]);
    require(e == GDB_PACKET && again.size == r->size &&
                memcmp(again.data, r->data, r->size) == 0,
            "a packet that is put is read as another");
    buf_free(&data);
    buf_free(&out);
}

static void
take_all(const struct gdb_reader *r)
{
    struct gdb_text t = { (const char *)r->data,
                          (const char *)r->data + r->size };
    uint8_t bytes[16];
    uint64_t x;
    while (t.at < t.end) {
        const char *from = t.at;
        if (!gdb_take_number(&t, &x) && !gdb_take_text(&t, ",") &&
            !gdb_take_bytes(&t, bytes, 3))
            t.at = from + 1;
        require(t.at > from && t.at <= t.end, "it reads beyond the packet");
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct gdb_reader r;
    if (size < GDB_PACKET_MAX / 4) {
        r = (struct gdb_reader){ .size = size };
        memcpy(r.data, bytes, size);
        read_again(&r);
        take_all(&r);
    }
    struct gdb_agent agent = { NULL, read_register, read_memory };
    uint64_t value;
    r = (struct gdb_reader){ .size = 0 };
    for (size_t i = 0; i < size; i++)
        if (gdb_read_byte(&r, bytes[i]) == GDB_PACKET) {
            read_again(&r);
            take_all(&r);
            gdb_agent_evaluate(&agent, r.data, r.size, &value);
        }
    gdb_agent_evaluate(&agent, bytes, size, &value);
    return 0;
}
