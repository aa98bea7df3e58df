/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"

/*
 * The environment.  The libraries are loaded into applications.  In one
 * with more rights than its caller (set-user-ID) the caller must not choose the
 * compiler to start or a place to write: there no variable is read
 * (secure_getenv).
 */

/* The value of a variable; NULL: not set, empty, or not to be trusted. */
const char *
env_get(const char *name);

/* The environment of a compiler: PATH, TMPDIR, the language of messages, the options
 * of sanitizers, and VENTUS_*.  Ends with NULL.  Everything else is dropped: clang
 * alone reads some twenty variables that change its behaviour. */
char **
env_of_compiler(struct arena *a);
