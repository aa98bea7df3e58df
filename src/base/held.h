/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <errno.h>
#include <pthread.h>

#include "base/debug_assert.h"

/*
 * States that a lock is held: by this thread, as the caller's comment says.
 * pthreads does not reveal the owner of a lock, so what fails is a call without it
 * while no other thread has it.
 */
#define assert_held(lock) debug_assert(pthread_mutex_trylock(lock) == EBUSY)
