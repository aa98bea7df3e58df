/* SPDX-License-Identifier: Apache-2.0 */
#include "upstream/cases.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/vec.h"
#include "dev/error.h"
#include "dev/space.h"
#include "obj/elf.h"
#include "upstream/log.h"

bool
cases_read(struct cases *c, const char *const *metadata, size_t n)
{
    c->sink.arena = &c->arena;
    c->at = arena_new(&c->arena, struct upstream_case, n);
    for (c->n = 0; c->n < n; c->n++)
        if (!upstream_read(&c->arena, metadata[c->n], &c->at[c->n], &c->sink))
            return dev_fail_sink(&c->sink);
    for (size_t i = 1; i < n; i++)
        if (c->at[i].wf_size != c->at[0].wf_size)
            return dev_fail("%s: warps of %" PRIu64
                            " threads, but %s has %" PRIu64
                            ": they cannot share a device",
                            c->at[i].file, c->at[i].wf_size, c->at[0].file,
                            c->at[0].wf_size);
    return true;
}

bool
cases_open(struct cases *c, const struct ventus_dev_options *options,
           bool exact)
{
    uint64_t warps = exact ? 1 : 32, local = 128 << 10;
    unsigned able;
    if (!ventus_dev_capabilities(options, &able))
        return false;
    for (size_t i = 0; i < c->n; i++) {
        warps = c->at[i].wg_size > warps ? c->at[i].wg_size : warps;
        local = c->at[i].lds_size_B > local ? c->at[i].lds_size_B : local;
    }
    vec(const char *) set = { 0 };
    struct arena *a = &c->arena;
    vec_push(a, &set, arena_printf(a, "num_thread=%" PRIu64, c->at[0].wf_size));
    /* On an engine that counts cycles these sizes are part of the simulated machine. */
    if (!(able & VENTUS_DEV_CYCLES)) {
        vec_push(a, &set, arena_printf(a, "num_warp=%" PRIu64, warps));
        vec_push(a, &set, arena_printf(a, "local_size=%" PRIu64, local));
    }
    vec_push(a, &set, "join_check=no"); /* upstream's machines ignore it */
    if (exact) {
        vec_push(a, &set, "round_robin=yes");
        vec_push(a, &set, "common_pds=yes");
    }
    for (size_t i = 0; i < options->n_set; i++)
        vec_push(a, &set, options->set[i]);
    struct ventus_dev_options o = *options;
    o.set = set.at;
    o.n_set = set.n;
    o.bare = true;
    c->dev = ventus_dev_open(&o);
    return c->dev != NULL;
}

/* ---- memory ---- */

static bool
load_object(struct cases *c, const char *metadata)
{
    const char *slash = strrchr(metadata, '/');
    int folder = slash ? (int)(slash - metadata) + 1 : 0;
    char *path = arena_printf(&c->arena, "%.*sobject.riscv", folder, metadata);
    if (access(path, R_OK) != 0)
        return true;
    size_t size;
    struct elf elf;
    uint8_t *image = file_read(&c->arena, path, &size, &c->sink);
    if (!image || !elf_read(&c->arena, path, image, size, &elf, &c->sink))
        return dev_fail_sink(&c->sink);
    for (size_t i = 0; i < elf.n_segments; i++) {
        const struct elf_segment *s = &elf.segment[i];
        if (s->type != ELF_PT_LOAD || !s->mem_size)
            continue;
        if (!ventus_dev_place(c->dev, s->paddr, s->mem_size) ||
            !ventus_dev_write(c->dev, s->paddr, s->contents, s->file_size))
            return false;
    }
    return true;
}

static bool
load_buffers(struct cases *c, const struct upstream_case *k)
{
    for (size_t i = 0; i < k->n_buffers; i++) {
        const struct upstream_buffer *b = &k->buffers[i];
        uint64_t free_B =
            b->alloc_size_B > b->size_B ? b->alloc_size_B : b->size_B;
        if (free_B && !ventus_dev_place(c->dev, b->base, free_B))
            return false;
        if (b->size_B &&
            !ventus_dev_write(c->dev, b->base, b->contents, b->size_B))
            return false;
    }
    return true;
}

/* Loads upstream's reset vector: every warp of a workgroup starts there, and it sets
 * x5, x10 and x11 as upstream's does. */
static bool
load_boot_rom(struct cases *c, uint64_t start)
{
    enum { ROM = 0x1000 };
    const uint32_t rom[8] = {
        0x00000297, /* auipc x5, 0 */
        0x02028593, /* addi  x11, x5, 32: the device tree */
        0xf1402573, /* csrr  x10, mhartid */
        0x0182a283, /* lw    x5, 24(x5) */
        0x00028067, /* jr    x5 */
        0,          (uint32_t)start, (uint32_t)(start >> 32),
    };
    return ventus_dev_place(c->dev, ROM, sizeof rom) &&
           ventus_dev_write(c->dev, ROM, rom, sizeof rom);
}

/* ---- running ---- */

/* Reads the program in memory, for the log of its end. */
static const uint8_t *
read_code(struct cases *c, uint64_t base, uint64_t *size)
{
    enum { MAX_CODE_B = 1 << 20 };
    for (uint64_t n = MAX_CODE_B; n >= SPACE_PAGE; n /= 2) {
        uint8_t *code = arena_alloc(&c->arena, n, 1, 8);
        if (ventus_dev_read(c->dev, base, code, n)) {
            *size = n;
            return code;
        }
    }
    return NULL;
}

static bool
run_case(struct cases *c, const struct ventus_dev_launch *l,
         const struct upstream_case *k, struct ventus_dev_result *result)
{
    struct ventus_dev_ticket *t = ventus_dev_submit(c->dev, l);
    if (!t) {
        strncpy(result->message, ventus_dev_message(),
                sizeof result->message - 1);
        return false;
    }
    if (c->watch)
        c->watch(t, k->file);
    bool ok = ventus_dev_wait(t, result);
    ventus_dev_ticket_free(t);
    return ok;
}

static bool
run_logged(struct cases *c, struct ventus_dev_launch *l,
           const struct upstream_case *k, FILE *out,
           struct ventus_dev_result *result)
{
    uint64_t size = 0;
    const uint8_t *code = read_code(c, k->start_addr, &size);
    struct commit_log log;
    if (!log_open(&log, out, l->bare->warps, code, k->start_addr, size))
        return dev_fail("the host has no memory for the log");
    struct ventus_dev_hooks hooks = { .ctx = &log, .step = log_step };
    l->hooks = &hooks;
    bool ok = run_case(c, l, k, result);
    l->hooks = NULL;
    return log_close(&log) ? ok : dev_fail("the log cannot be written");
}

/* Reads the shape of the launch.  The case has the number of warps; the number of
 * work-items is in the kernel's metadata in memory only (docs/abi.md).  A number that
 * does not fit the warps is ignored, and all lanes run. */
static void
read_shape(struct cases *c, const struct upstream_case *k,
           struct ventus_sim_launch *bare)
{
    assert(k->wg_size > 0 && k->wg_size <= 1024 && "guaranteed by check_case");
    enum { GL_SIZE = 3, LC_SIZE = 6, WORDS = 9 };
    uint32_t knl[WORDS];
    uint64_t items = 1, lanes = k->wg_size * k->wf_size;
    if (!ventus_dev_read(c->dev, k->metadata_base, knl, sizeof knl))
        return;
    bool fits = true;
    for (int i = 0; i < 3; i++) {
        uint64_t global = knl[GL_SIZE + i], local = knl[LC_SIZE + i];
        uint64_t groups = k->kernel_size[i] ? k->kernel_size[i] : 1;
        fits = fits && local && local <= lanes && global <= groups * local &&
               global > (groups - 1) * local;
        items *= fits ? local : 1;
    }
    if (!fits || items > lanes || items + k->wf_size <= lanes)
        return;
    for (int i = 0; i < 3; i++) {
        bare->global[i] = knl[GL_SIZE + i];
        bare->local[i] = knl[LC_SIZE + i];
    }
}

static bool
check_case(const struct upstream_case *k)
{
    if (k->start_addr >> 32 || k->start_addr % 4)
        return dev_fail("%s: start address 0x%" PRIx64, k->file, k->start_addr);
    for (int i = 0; i < 3; i++)
        if (k->kernel_size[i] >> 32)
            return dev_fail("%s: %" PRIu64 " workgroups", k->file,
                            k->kernel_size[i]);
    if (!k->wg_size || k->wg_size > 1024 || k->metadata_base >> 32 ||
        k->lds_size_B >> 32 || k->pds_size_B >> 32)
        return dev_fail("%s: sizes that no workgroup has", k->file);
    return true;
}

const char *
cases_name(struct cases *c, size_t i)
{
    assert(i < c->n);
    const char *slash = strrchr(c->at[i].file, '/');
    const char *name = slash ? slash + 1 : c->at[i].file;
    return arena_strndup(&c->arena, name, strlen(name) - strlen(".metadata"));
}

bool
cases_run(struct cases *c, size_t i, FILE *log, bool stats,
          const struct ventus_dev_hooks *hooks,
          struct ventus_dev_result *result)
{
    const struct upstream_case *k = &c->at[i];
    memset(result, 0, sizeof *result);
    if (!check_case(k) || !load_object(c, k->file) || !load_buffers(c, k) ||
        (log && !load_boot_rom(c, k->start_addr)))
        return false;
    struct ventus_sim_launch bare = {
        .pc = log ? 0x1000 : k->start_addr,
        .knl = (uint32_t)k->metadata_base,
        .warps = (unsigned)k->wg_size,
        .local_size_B = (uint32_t)k->lds_size_B,
        .pds_base = k->pds_base,
        .pds_size_B = (uint32_t)k->pds_size_B,
        .sgpr = (unsigned)k->sgpr_usage,
        .vgpr = (unsigned)k->vgpr_usage,
    };
    for (int d = 0; d < 3; d++)
        bare.grid[d] = (uint32_t)k->kernel_size[d];
    if (!ventus_dev_setting(c->dev, "all_lanes"))
        read_shape(c, k, &bare);
    struct ventus_dev_launch l = {
        .bare = &bare,
        .bare_name = cases_name(c, i),
        .stats = stats,
        .hooks = hooks,
        .profile = c->profile,
        .sm = c->sm,
    };
    if (log)
        return run_logged(c, &l, k, log, result);
    return run_case(c, &l, k, result);
}

void
cases_close(struct cases *c)
{
    ventus_dev_close(c->dev);
    arena_free(&c->arena);
}
