/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/columns.h"

#include <stddef.h>
#include <string.h>

const char *const columns_of_record[COLUMNS_OF_RECORD] = {
    "error",   "exit",   "seconds", "cpu_seconds", "began",  "host",
    "version", "commit", "tools",   "key",         "command"
};

/* The first columns of a row, and columns of a launch besides counters. */
static const char *const of_launch[] = { "program", "preset",     "status",
                                         "launch",  "kernel",     "ok",
                                         "cycles",  "num_thread", "clock_mhz" };
enum { OF_LAUNCH = sizeof of_launch / sizeof *of_launch };

bool
columns_have(const char *name)
{
    for (size_t i = 0; i < OF_LAUNCH; i++)
        if (strcmp(of_launch[i], name) == 0)
            return true;
    for (size_t i = 0; i < COLUMNS_OF_RECORD; i++)
        if (strcmp(columns_of_record[i], name) == 0)
            return true;
    return false;
}
