/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Writes .vscode/launch.json, which must not exist, and prints how to use it; returns
 * the exit status. */
int
debug_write_vscode(const char *gdb, const char *script, int n,
                   char *const *words);
