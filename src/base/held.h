/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <errno.h>
#include <pthread.h>

#include "base/debug_assert.h"

/* Asserts that a lock is held by the calling thread.  pthreads does not reveal the
 * owner of a lock, so the assertion fails only while no thread at all holds it. */
#define assert_held(lock) debug_assert(pthread_mutex_trylock(lock) == EBUSY)
