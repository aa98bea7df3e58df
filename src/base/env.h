/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"

/*
 * The environment.  Code of ours is loaded into other people's programs, and
 * one that runs with more rights than its caller (set-user-ID) must not be told
 * by the caller which compiler to start or where to write: there nothing is
 * read (secure_getenv).
 */

/* The value; NULL if it is not set, empty, or not to be trusted. */
const char *
env_get(const char *name);

/*
 * The environment of a compiler: PATH, TMPDIR, the language of messages, what
 * sanitizers are told, and VENTUS_*.  Ends with NULL.  Nothing else reaches it:
 * clang alone reads some twenty variables that change what it does.
 */
char **
env_of_compiler(struct arena *a);
