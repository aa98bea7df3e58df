/* SPDX-License-Identifier: Apache-2.0 */
/* The program that `ventus run` starts, and the runtime that it finds. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* Sets the variables of OpenCL's loaders: Debian's takes a library from one of them,
 * others from the other.  False: there is no runtime beside this program, which is
 * reported. */
bool
run_use_runtime(struct arena *a);

/* Whether a file is a program for the host.  False: it is a file for `ventus exec`,
 * which is reported. */
bool
run_is_program(const char *path);
