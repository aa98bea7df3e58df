/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/columns.h"

#include <stddef.h>
#include <string.h>

const char *const column_origin[COLUMN_ORIGINS] = {
    "error",   "exit",   "seconds", "cpu_seconds", "began",   "host",
    "version", "commit", "tools",   "key",         "command",
};

/* Columns before these, and what a launch has besides counters. */
static const char *const of_launch[] = {
    "program", "preset", "status",     "launch",    "kernel",
    "ok",      "cycles", "num_thread", "clock_mhz",
};

bool
column_is_measured(const char *name)
{
    for (size_t i = 0; i < sizeof of_launch / sizeof *of_launch; i++)
        if (strcmp(of_launch[i], name) == 0)
            return true;
    for (size_t i = 0; i < COLUMN_ORIGINS; i++)
        if (strcmp(column_origin[i], name) == 0)
            return true;
    return false;
}
