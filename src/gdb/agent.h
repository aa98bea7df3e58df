/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * GDB's agent expressions (GDB manual, appendix F): the bytecode of a
 * breakpoint's condition, which the stub evaluates for each work-item.
 */
struct gdb_agent {
    void *ctx;
    bool (*read_register)(void *ctx, unsigned number, uint64_t *value);
    bool (*read_memory)(void *ctx, uint64_t address, void *to, size_t size);
};

/*
 * False: it reads what is not there, has no end within a million steps, or is
 * no expression.
 */
bool
gdb_agent_evaluate(const struct gdb_agent *a, const uint8_t *code, size_t size,
                   uint64_t *value);
