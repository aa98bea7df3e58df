/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of faults.  The machine describes the fault; the driver adds the
 * kernel, the source line, the work-item and the nearest buffer.
 *
 *     kernel 'vecadd': access to unmapped memory to 0x90002000 at pc
 *     0x80000044 (vlw12.v v1, 0(v1)), workgroup 3 (3,0,0), warp 0, lane 4;
 *     vecadd+0x1c (vecadd.s:22), work-item (100,0,0); 0 bytes past the
 *     end of argument 1 'y', 4096 bytes
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "dev/fault.h"
#include "dev/nearest.h"
#include "dev/program.h"

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

void
fault_add_place(const struct ventus_dev_ticket *t, struct ventus_dev_result *r)
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

static bool
is_kind(const struct engine_fault *b, enum ventus_sim_fault_kind kind)
{
    return strcmp(b->kind, ventus_sim_fault_name(kind)) == 0;
}

/* An access of up to a word that begins before the end may go beyond it. */
static bool
is_after(uint64_t address, uint64_t end, uint64_t padding)
{
    enum { WORD = 4 };
    return address + WORD > end && address < end + padding;
}

/* Tests whether the access is a fault only because of bounds=strict. */
static bool
padding_permits(const struct ventus_dev_ticket *t, const struct engine_fault *b)
{
    const struct ventus_dev *d = t->dev;
    if (d->space.padded || d->checks_bounds || !t->launch.kernel)
        return false;
    if (is_kind(b, VENTUS_SIM_FAULT_PRIVATE))
        return is_after(b->address, t->run.launch.pds_size_B, PADDING_PRIVATE);
    if (is_kind(b, VENTUS_SIM_FAULT_LOCAL))
        return is_after(b->address, DEV_LOCAL + t->run.launch.local_size_B,
                        PADDING_LOCAL);
    if (!is_kind(b, VENTUS_SIM_FAULT_UNMAPPED))
        return false;
    const struct space_range *s = nearest_allocation(t, b->address);
    return s && s->owner == program_context(t->launch.kernel->program) &&
           is_after(b->address, s->address + s->asked, SPACE_PADDING);
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
        fault_add_place(t, r);
    if (t->launch.kernel && b->has_address)
        nearest_append(t, r);
    if (padding_permits(t, b))
        text_append(r->message, sizeof r->message,
                    "; bounds=padded permits it");
    text_append(r->message, sizeof r->message, "%s", b->text + line);
}
