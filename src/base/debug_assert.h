/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>

/*
 * assert() stays in every build.  debug_assert() is for invariants that take
 * time: those that need a search or a walk, and those of inner loops.  Builds of
 * the type Debug have it (the presets dev, tiny, clang, tsan, coverage, fuzz),
 * release builds only compile it.
 */
#ifdef VENTUS_DEBUG
#define debug_assert(condition) assert(condition)
#else
#define debug_assert(condition) ((void)sizeof((condition) ? 1 : 0))
#endif
