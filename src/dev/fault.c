/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of faults.  The machine describes the fault; the driver adds the
 * kernel, the source line, the work-item and the nearest buffer.
 *
 *     kernel 'vecadd': access to unmapped memory to 0x90002000 at pc
 *     0x80000044 (vlw12.v v1, 0(v1)), workgroup 3 (3,0,0), warp 0, lane 4;
 *     vecadd+0x1c (vecadd.s:22), work-item (100,0,0); 0 bytes behind the
 *     end of argument 1 'y', 4096 bytes
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "dev/device.h"

bool
fault_find_item(const struct ventus_dev_ticket *t, struct ventus_dev_fault *f)
{
    assert(f->lane >= 0 &&
           (unsigned)f->lane < t->dev->config.value[CONFIG_num_thread]);
    const struct ventus_dev_launch *l = &t->launch;
    uint64_t lanes = t->dev->config.value[CONFIG_num_thread];
    uint64_t id = f->warp * lanes + (unsigned)f->lane;
    for (int i = 0; i < 3; i++) {
        uint64_t first = f->group[i] * l->local[i];
        assert(first < l->global[i]);
        uint64_t left = l->global[i] - first;
        uint64_t size = left < l->local[i] ? left : l->local[i];
        f->item[i] = first + id % size + l->offset[i];
        id /= size;
    }
    if (id) /* beyond the last one */
        f->item[0] = f->item[1] = f->item[2] = VENTUS_DEV_NO_ITEM;
    return !id;
}

static void
describe_kernel(const struct ventus_dev_ticket *t, struct ventus_dev_result *r)
{
    struct ventus_dev_fault *f = &r->fault;
    ventus_dev_describe(t->launch.kernel->program, f->pc, f->place,
                        sizeof f->place);
    text_append(r->message, sizeof r->message, "; %s", f->place);
    if (f->lane < 0)
        return;
    if (fault_find_item(t, f))
        text_append(r->message, sizeof r->message,
                    ", work-item (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")",
                    f->item[0], f->item[1], f->item[2]);
    else
        text_append(r->message, sizeof r->message,
                    ", lane %d has no work-item: this machine runs all lanes "
                    "(all_lanes = yes)",
                    f->lane);
}

void
fault_report(struct ventus_dev_ticket *t, const struct engine_fault *b)
{
    assert(b->kind);
    t->lacks_memory = b->lacks_memory;
    struct ventus_dev_result *r = &t->result;
    struct ventus_dev_fault *f = &r->fault;
    *f = (struct ventus_dev_fault){ .kind = b->kind,
                                    .pc = b->pc,
                                    .address = b->address,
                                    .warp = b->warp,
                                    .lane = b->lane };
    for (int i = 0; i < 3; i++)
        f->group[i] = b->group[i];
    if (b->in.op)
        ventus_isa_print(&b->in, NULL, f->insn, sizeof f->insn);
    r->message[0] = 0;
    if (t->launch.kernel)
        text_append(r->message, sizeof r->message,
                    "kernel '%s': ", t->launch.kernel->name);
    int line = (int)strcspn(b->text, "\n"); /* more is about all warps */
    text_append(r->message, sizeof r->message, "%.*s", line, b->text);
    if (t->launch.kernel && b->has_place)
        describe_kernel(t, r);
    if (t->launch.kernel && b->has_address)
        nearby_append(t, r);
    text_append(r->message, sizeof r->message, "%s", b->text + line);
}
