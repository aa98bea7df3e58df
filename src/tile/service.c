/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Services of the host for a program: ecall with the number in a7, arguments in
 * a0.., the result in a0.  The numbers are Linux', so that a program without
 * tile instructions runs under any user-mode emulator too.
 */
#include <assert.h>

#include "tile/check.h"
#include "tile/thread.h"

enum service {
    SERVICE_WRITE = 64,
    SERVICE_EXIT = 93,
    SERVICE_EXIT_GROUP = 94,
};

enum { A0 = 10, A1, A2, A7 = 17, NO_SUCH_CALL = 38, BAD_ADDRESS = 14 };

/* A range as the hart sees it, written to options.out. */
static uint64_t
write_out(struct tile_thread *t, uint64_t at, uint64_t size)
{
    struct ventus_tile_machine *m = t->machine;
    const uint8_t *from = memory_scalar(&m->memory, t->pe, at, size);
    if (!from)
        return (uint64_t)-BAD_ADDRESS;
    check_scalar(t, t->hart.pc, memory_scalar_name(&m->memory, t->pe, at), size,
                 false);
    if (m->options.out)
        fwrite(from, 1, size, m->options.out);
    return size;
}

static void
end_thread(struct tile_thread *t)
{
    assert(t->running);
    check_exit(t);
    for (unsigned q = 0; q < THREAD_QUEUES; q++)
        if (tile_queue_drain(t, (enum ventus_tile_unit)q, 0) == THREAD_FAULT)
            return;
    t->running = false;
}

void
service_call(struct tile_thread *t)
{
    struct ventus_tile_machine *m = t->machine;
    struct hart *h = &t->hart;
    assert(h->stop == HART_ECALL && t->running);
    switch (h->x[A7]) {
    case SERVICE_WRITE:
        h->x[A0] = write_out(t, h->x[A1], h->x[A2]);
        break;
    case SERVICE_EXIT:
    case SERVICE_EXIT_GROUP:
        if ((int)h->x[A0] || !m->status)
            m->status = (int)h->x[A0];
        end_thread(t);
        if (h->x[A7] == SERVICE_EXIT_GROUP)
            m->ended = true;
        return;
    default:
        h->x[A0] = (uint64_t)-NO_SUCH_CALL;
    }
    h->pc += 4;
    h->stop = HART_RUNS;
}
