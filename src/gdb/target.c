/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/target.h"

#include <string.h>

#include "base/bytes.h"
#include "gdb/snapshot.h"

/* ---- which work-item ---- */

bool
gdb_item_ids(const struct gdb_machine *m, const struct gdb_launch *l,
             const struct gdb_thread *t, uint64_t global[3], uint64_t local[3])
{
    const uint32_t *grid = m->run->launch.grid;
    uint64_t at[3] = { t->group % grid[0], t->group / grid[0] % grid[1],
                       t->group / grid[0] / grid[1] };
    uint64_t id = (uint64_t)t->warp * m->run->sim->config.num_thread + t->lane;
    for (int i = 0; i < 3; i++) {
        uint64_t first = at[i] * l->local[i];
        uint64_t left = l->global[i] > first ? l->global[i] - first : 1;
        uint64_t size = left < l->local[i] ? left : l->local[i];
        local[i] = size ? id % size : id;
        global[i] = first + local[i] + l->offset[i];
        id = size ? id / size : 0;
    }
    return !id;
}

/* ---- the state of warps, by name ---- */

enum state {
    STATE_MASK,
    STATE_EXEC,
    STATE_DEPTH,
    STATE_RPC,
    STATE_VL,
    STATE_VTYPE,
    STATE_FFLAGS,
    STATE_FRM,
    STATE_VXRM,
    STATE_VXSAT,
    STATE_GID_X,
    STATE_GID_Y,
    STATE_GID_Z,
    STATE_LID_X,
    STATE_LID_Y,
    STATE_LID_Z,
    STATE_GROUP_X,
    STATE_GROUP_Y,
    STATE_GROUP_Z,
    STATE_GROUP,
    STATE_WARP,
    STATE_LANE,
    STATE_ACTIVE,
    STATE_TIME,
    STATES
};

static const struct {
    const char *name;
    unsigned bits;
} states[STATES] = {
    [STATE_MASK] = { "mask", 64 },       [STATE_EXEC] = { "exec", 64 },
    [STATE_DEPTH] = { "depth", 32 },     [STATE_RPC] = { "rpc", 32 },
    [STATE_VL] = { "vl", 32 },           [STATE_VTYPE] = { "vtype", 32 },
    [STATE_FFLAGS] = { "fflags", 32 },   [STATE_FRM] = { "frm", 32 },
    [STATE_VXRM] = { "vxrm", 32 },       [STATE_VXSAT] = { "vxsat", 32 },
    [STATE_GID_X] = { "gid_x", 64 },     [STATE_GID_Y] = { "gid_y", 64 },
    [STATE_GID_Z] = { "gid_z", 64 },     [STATE_LID_X] = { "lid_x", 64 },
    [STATE_LID_Y] = { "lid_y", 64 },     [STATE_LID_Z] = { "lid_z", 64 },
    [STATE_GROUP_X] = { "group_x", 64 }, [STATE_GROUP_Y] = { "group_y", 64 },
    [STATE_GROUP_Z] = { "group_z", 64 }, [STATE_GROUP] = { "group", 64 },
    [STATE_WARP] = { "warp", 32 },       [STATE_LANE] = { "lane", 32 },
    [STATE_ACTIVE] = { "active", 32 },   [STATE_TIME] = { "time", 64 },
};

static uint64_t
read_item(const struct gdb_machine *m, const struct gdb_launch *l,
          const struct gdb_thread *t, enum state s)
{
    uint64_t global[3], local[3];
    const struct sim_group *g = gdb_group_of(m, t->group, NULL);
    gdb_item_ids(m, l, t, global, local);
    if (s >= STATE_GROUP_X)
        return g->at[s - STATE_GROUP_X];
    return s >= STATE_LID_X ? local[s - STATE_LID_X] : global[s - STATE_GID_X];
}

static uint64_t
read_state(const struct gdb_machine *m, const struct gdb_launch *l,
           const struct gdb_thread *t, enum state s)
{
    const struct sim_warp *w = gdb_thread_warp(m, t);
    switch (s) {
    case STATE_MASK:
        return w->mask;
    case STATE_EXEC:
        return w->exec;
    case STATE_DEPTH:
        return w->depth;
    case STATE_RPC:
        return w->rpc;
    case STATE_VL:
        return w->vl;
    case STATE_VTYPE:
        return w->vtype;
    case STATE_FFLAGS:
        return w->fflags;
    case STATE_FRM:
        return w->frm;
    case STATE_VXRM:
        return w->vxrm;
    case STATE_VXSAT:
        return w->vxsat;
    case STATE_GROUP:
        return t->group;
    case STATE_WARP:
        return t->warp;
    case STATE_LANE:
        return t->lane;
    case STATE_ACTIVE:
        return gdb_thread_active(w, t->lane);
    case STATE_TIME:
        return m->at.time;
    case STATE_GID_X:
    case STATE_GID_Y:
    case STATE_GID_Z:
    case STATE_LID_X:
    case STATE_LID_Y:
    case STATE_LID_Z:
    case STATE_GROUP_X:
    case STATE_GROUP_Y:
    case STATE_GROUP_Z:
    case STATES:
        break;
    }
    return read_item(m, l, t, s);
}

/* ---- the description ---- */

static void
describe_row(struct buf *out, const char *name, unsigned from, unsigned to,
             unsigned number, const char *how)
{
    for (unsigned i = from; i <= to; i++)
        buf_printf(out, "<reg name=\"%s%u\" %s regnum=\"%u\"/>\n", name, i, how,
                   number + i - from);
}

bool
gdb_target_is_wide(const struct gdb_machine *m)
{
    return m->run->sim->config.isa == VENTUS_ISA_V2;
}

/* Bytes of a pc for GDB, which has the size of its pointers from it. */
static unsigned
pc_bytes(const struct gdb_machine *m)
{
    return gdb_target_is_wide(m) ? 8 : 4;
}

/*
 * GDB 13 wants v0 to v31, of one size, for DWARF's registers 96 to 127, and x0 to
 * x31 with as many bits as the pc.  The size of a register is that of its type:
 * the words stay words.
 */
void
gdb_target_describe(const struct gdb_machine *m, struct buf *out)
{
    unsigned lanes = m->run->sim->config.num_thread;
    const char *word = "bitsize=\"32\" type=\"int32\"";
    const char *core =
        gdb_target_is_wide(m) ? "bitsize=\"64\" type=\"int32\"" : word;
    unsigned pc_bits = 8 * pc_bytes(m);
    buf_printf(out,
               "<?xml version=\"1.0\"?>\n"
               "<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
               "<target version=\"1.0\">\n"
               "<architecture>riscv:rv%u</architecture>\n<osabi>none</osabi>\n"
               "<feature name=\"org.gnu.gdb.riscv.cpu\">\n",
               pc_bits);
    describe_row(out, "x", 0, 31, GDB_REG_X, core);
    buf_printf(out,
               "<reg name=\"pc\" bitsize=\"%u\" type=\"code_ptr\" "
               "regnum=\"%u\"/>\n</feature>\n"
               "<feature name=\"org.gnu.gdb.riscv.vector\">\n",
               pc_bits, GDB_REG_PC);
    describe_row(out, "v", 0, 31, GDB_REG_V, word);
    buf_printf(out,
               "</feature>\n<feature name=\"org.ventus.registers\">\n"
               "<vector id=\"warp\" type=\"int32\" count=\"%u\"/>\n",
               lanes);
    describe_row(out, "x", 32, 63, GDB_REG_X_MORE, word);
    describe_row(out, "v", 32, 255, GDB_REG_V_MORE, word);
    char vector[64];
    snprintf(vector, sizeof vector,
             "bitsize=\"%u\" type=\"warp\" group=\"vector\"", 32 * lanes);
    describe_row(out, "wv", 0, 255, GDB_REG_WARP_V, vector);
    buf_printf(out, "</feature>\n<feature name=\"org.ventus.state\">\n");
    for (unsigned i = 0; i < STATES; i++)
        buf_printf(out,
                   "<reg name=\"%s\" bitsize=\"%u\" type=\"uint%u\" "
                   "group=\"ventus\" regnum=\"%u\"/>\n",
                   states[i].name, states[i].bits, states[i].bits,
                   GDB_REG_STATE + i);
    buf_printf(out, "</feature>\n</target>\n");
}

/* ---- one register ---- */

static size_t
put(uint8_t *to, uint64_t x, unsigned size)
{
    bytes_store(to, size, x);
    return size;
}

/* The word of a register of 32 bits that is one; NULL: it is not. */
static uint32_t *
word_of(struct sim_warp *w, unsigned lane, unsigned number)
{
    if (number < GDB_REG_PC)
        return &w->x[number];
    if (number >= GDB_REG_V && number < GDB_REG_V + 32)
        return &w->v[(number - GDB_REG_V) * w->lanes + lane];
    if (number >= GDB_REG_X_MORE && number < GDB_REG_V_MORE)
        return &w->x[number - GDB_REG_X_MORE + 32];
    if (number >= GDB_REG_V_MORE && number < GDB_REG_WARP_V)
        return &w->v[(number - GDB_REG_V_MORE + 32) * w->lanes + lane];
    return NULL;
}

size_t
gdb_register_read(const struct gdb_machine *m, const struct gdb_launch *l,
                  const struct gdb_thread *t, unsigned number,
                  uint8_t value[GDB_REG_MAX_B])
{
    struct sim_warp *w = gdb_thread_warp(m, t);
    const uint32_t *word = word_of(w, t->lane, number);
    size_t size = 0;
    if (word)
        return put(value, *word, 4);
    if (number == GDB_REG_PC)
        return put(value, gdb_thread_pc(w, t->lane), pc_bytes(m));
    if (number >= GDB_REG_STATE) {
        unsigned s = number - GDB_REG_STATE;
        return s >= STATES ? 0
                           : put(value, read_state(m, l, t, (enum state)s),
                                 states[s].bits / 8);
    }
    for (unsigned i = 0; i < w->num_thread; i++)
        size += put(value + size,
                    w->v[(number - GDB_REG_WARP_V) * w->lanes + i], 4);
    return size;
}

/* Makes all active lanes continue at another instruction. */
static bool
jump(struct gdb_machine *m, struct sim_warp *w, uint32_t pc)
{
    enum ventus_sim_fault_kind why;
    const struct sim_code_page *page = code_page(m->k, pc, &why);
    if (pc % 4 || !page || w->stop != STOP_SLICE)
        return false;
    w->page = page;
    w->next = &page->ops[pc % SIM_PAGE / 4];
    return true;
}

bool
gdb_register_write(struct gdb_machine *m, const struct gdb_thread *t,
                   unsigned number, const uint8_t *value, size_t size)
{
    struct sim_warp *w = gdb_thread_warp(m, t);
    uint32_t *word = word_of(w, t->lane, number), x;
    if (size != (number == GDB_REG_PC ? pc_bytes(m) : sizeof x) ||
        !gdb_machine_may_change(m))
        return false;
    memcpy(&x, value, sizeof x);
    if (number == GDB_REG_X)
        return true; /* it stays 0 */
    if (number == GDB_REG_PC) {
        if (x == gdb_thread_pc(w, t->lane))
            return true;
        if (!gdb_thread_active(w, t->lane) || !jump(m, w, x))
            return false;
    } else if (word && *word != x) {
        *word = x;
    } else {
        return word != NULL;
    }
    gdb_snapshot_begin_anew(m);
    return true;
}
