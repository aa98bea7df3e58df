/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "gdb/gdb.h"
#include "gdb/thread.h"

/*
 * The registers of a thread, numbered as in the target description:
 *
 *     x0 .. x31, pc      the warp's; pc is the lane's
 *     v0 .. v31          the lane's 32 bits of a vector register
 *     x32 .., v32 ..     the others
 *     wv0 .. wv255       vector registers of the warp, all lanes
 *     mask, rpc, ...     state of the warp
 *     gid_x, ...         which work-item it is
 *
 * GDB reads the first two rows at once and the others one by one.
 */
enum {
    GDB_REG_X = 0,
    GDB_REG_PC = 32,
    GDB_REG_V = 33,
    GDB_REG_FIRST = 65, /* of those that are read one by one */
    GDB_REG_X_MORE = GDB_REG_FIRST,
    GDB_REG_V_MORE = GDB_REG_X_MORE + 32,
    GDB_REG_WARP_V = GDB_REG_V_MORE + 224,
    GDB_REG_STATE = GDB_REG_WARP_V + 256
};

enum { GDB_REG_MAX_B = 4 * SIM_LANES_MAX };

/* Pointers have 64 bits: the program is of version 2. */
bool
gdb_target_is_wide(const struct gdb_machine *m);

/* The description in XML. */
void
gdb_target_describe(const struct gdb_machine *m, struct buf *out);

/* Bytes of a register, little endian; 0: there is none of that number. */
size_t
gdb_register_read(const struct gdb_machine *m, const struct gdb_launch *l,
                  const struct gdb_thread *t, unsigned number,
                  uint8_t value[GDB_REG_MAX_B]);

/* Changes one by hand.  False: it cannot be, or so many bytes are not its. */
bool
gdb_register_write(struct gdb_machine *m, const struct gdb_thread *t,
                   unsigned number, const uint8_t *value, size_t size);

/* The global id of a work-item, and that in its workgroup.  False: the lane has no
 * work-item, all_lanes runs it; the ids are those that its kernel computes. */
bool
gdb_item_ids(const struct gdb_machine *m, const struct gdb_launch *l,
             const struct gdb_thread *t, uint64_t global[3], uint64_t local[3]);
