/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variables_dev FILE.elf KERNEL ITEMS GROUP TRACE_B isa=v1|isa=v2 PC... : runs the kernel, whose arguments
 * are a buffer of TRACE_B bytes, one of ITEMS words and a number, and writes to standard
 * output a record for each work-item that is about to execute one of the instructions, then
 * the buffer.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "random_job.h"
#include <ventus/dev.h>
#include <ventus/isa.h>
#include <ventus/sim.h>

enum {
    LANES = 32,
    GROUPS = 4,
    WARPS = 2,
    PRIVATE_B = 4096,
    LOCAL_B = 16384,
    PCS = 256
};
enum { LOCAL = 0x70000000 };

/* What a debugger could read. */
struct record {
    uint32_t pc, item, warps;
    uint32_t x[64], v[256];
    uint8_t private[PRIVATE_B], local[LOCAL_B];
};

struct machine {
    uint32_t pc[PCS];
    unsigned n;
    uint32_t group_size;
    /* by group, which may run in turns */
    uint8_t private[GROUPS][WARPS][LANES][PRIVATE_B], local[GROUPS][LOCAL_B];
};

/* Offsets and addresses from registers, which a store leaves as they are. */
static void
store(struct machine *m, const struct ventus_sim_step *s, unsigned lane)
{
    const struct ventus_isa_info *row = &ventus_isa_info[s->in->op];
    bool private = row->flags & VENTUS_ISA_F_PRIVATE ||
                   s->in->space == VENTUS_ISA_SPACE_PRIVATE;
    uint32_t data[4] = { 0 }, address;
    unsigned from = s->in->reg[VENTUS_ISA_SLOT_2];
    if (s->scalar_access) {
        for (unsigned k = 0; 4 * k < s->access_B && k < 4; k++)
            data[k] = s->x[from + k];
        address = (uint32_t)s->addresses[0];
    } else {
        for (unsigned k = 0; 4 * k < s->access_B && k < 4; k++)
            data[k] = s->v[(from + k) * s->stride + lane];
        address = (uint32_t)s->addresses[lane];
    }
    if (private) {
        address = s->v[s->in->reg[VENTUS_ISA_SLOT_1] * s->stride + lane] +
                  (uint32_t)s->in->imm;
        if (address + s->access_B <= PRIVATE_B)
            memcpy(m->private[s->group][s->warp][lane] + address, &data,
                   s->access_B);
    } else if (address >= LOCAL && address - LOCAL + s->access_B <= LOCAL_B) {
        memcpy(m->local[s->group] + (address - LOCAL), data, s->access_B);
    }
}

static void
write_record(struct machine *m, const struct ventus_sim_step *s, unsigned lane)
{
    static struct record r;
    uint32_t warps = (m->group_size + LANES - 1) / LANES;
    r.pc = (uint32_t)s->next_pc;
    r.item = (uint32_t)s->group * m->group_size + s->warp * LANES + lane;
    r.warps = warps;
    memcpy(r.x, s->x, sizeof r.x);
    for (unsigned i = 0; i < 256; i++)
        r.v[i] = s->v[i * s->stride + lane];
    memcpy(r.private, m->private[s->group][s->warp][lane], sizeof r.private);
    memcpy(r.local, m->local[s->group], sizeof r.local);
    fwrite(&r, sizeof r, 1, stdout);
}

static void
on_step(void *ctx, const struct ventus_sim_step *s)
{
    struct machine *m = ctx;
    assert(s->group < GROUPS && s->warp < WARPS);
    bool stores =
        (ventus_isa_info[s->in->op].flags & VENTUS_ISA_F_STORE) && s->access_B;
    for (unsigned lane = 0; lane < LANES && stores; lane++)
        if (s->exec >> lane & 1)
            store(m, s, lane);
    for (unsigned i = 0; i < m->n; i++)
        for (unsigned lane = 0; lane < LANES && m->pc[i] == s->next_pc; lane++)
            if (s->next_mask >> lane & 1 && !s->waits)
                write_record(m, s, lane);
}

static bool
run(struct ventus_dev *d, struct ventus_dev_program *p, char **argv,
    struct machine *m)
{
    uint32_t items = (uint32_t)atoi(argv[3]), n = 5;
    size_t trace_B = (size_t)atoi(argv[5]);
    uint64_t trace = ventus_dev_alloc(d, trace_B, 0);
    uint64_t mark = ventus_dev_alloc(d, 4 * items, 0);
    struct ventus_dev_arg args[] = { ventus_dev_buffer(trace),
                                     ventus_dev_buffer(mark),
                                     ventus_dev_bytes(&n, 4) };
    struct ventus_dev_hooks hooks = { .ctx = m, .step = on_step };
    struct ventus_dev_launch launch = { .kernel = ventus_dev_find(p, argv[2]),
                                        .work_dim = 1,
                                        .global = { items },
                                        .local = { m->group_size },
                                        .args = args,
                                        .n_args = 3,
                                        .hooks = m->n ? &hooks : NULL };
    static struct ventus_dev_result r;
    const uint32_t zero = 0;
    char *bytes = malloc(trace_B);
    bool ok = launch.kernel && ventus_dev_fill(d, trace, &zero, 4, trace_B) &&
              ventus_dev_run(d, &launch, &r) &&
              ventus_dev_read(d, trace, bytes, trace_B);
    if (!ok)
        fprintf(stderr, "%s\n%s\n", r.message, ventus_dev_message());
    fwrite(bytes, 1, trace_B, stdout);
    free(bytes);
    return ok;
}

int
main(int argc, char **argv)
{
    static struct machine m;
    size_t elf_size;
    if (argc < 7)
        return 2;
    char *elf = job_file(argv[1], &elf_size);
    m.group_size = (uint32_t)atoi(argv[4]);
    for (int i = 7; i < argc && m.n < PCS; i++)
        m.pc[m.n++] = (uint32_t)strtoul(argv[i], NULL, 0);
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){
        .set = (const char *const *)argv + 6, .n_set = 1, .host_threads = 1 });
    struct ventus_dev_program *p =
        d ? ventus_dev_load(d, elf, elf_size, argv[1]) : NULL;
    if (!p) {
        fprintf(stderr, "%s\n", ventus_dev_message());
        return 1;
    }
    bool ok = run(d, p, argv, &m);
    ventus_dev_close(d);
    free(elf);
    return !ok;
}
