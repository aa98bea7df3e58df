/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "base/fork_client.h"

/* The compiler's process that stays loaded for this application, which forks for each
 * build (docs/decisions/0019-warm-compiler.md).  The first build starts it; it ends with
 * the application. */

/* The program that can stay loaded for `program`, a path of the command `ventus`; NULL:
 * none, or VENTUS_WARM_COMPILER=0. */
const char *
warm_program(struct arena *a, const char *program);

/* Starts a run in it; false: it cannot, and nothing has been started. */
bool
warm_run(const char *program, char **env, const struct fork_run *run,
         struct fork_running *r);
