/* SPDX-License-Identifier: Apache-2.0 */
/* The program that `ventus run` starts, and the runtime that it finds. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* Sets the variables of OpenCL's loaders: Debian's takes a library in the one, others
 * in the other.  False: there is no runtime beside this program, reported. */
bool
run_use_runtime(struct arena *a);

/* False, reported: it is what `ventus exec` runs, and no program for the host. */
bool
run_is_program(const char *path);
