/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>

/*
 * An assertion on a path that is executed in each cycle: builds for users leave
 * it out (MODEL_HOT_ASSERTIONS in CMakeLists.txt), all others have it.
 */
#ifdef MODEL_HOT_ASSERTIONS
#define debug_assert(condition) assert(condition)
#else
#define debug_assert(condition) ((void)sizeof(condition))
#endif
