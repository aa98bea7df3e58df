/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* The system calls of a process in the sandbox (sandbox/sandbox.h). */

/* A sanitizer's run time starts a thread of its own that looks at the others
 * when the program ends, and reads what is mapped. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANDBOX_SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANDBOX_SANITIZED 1
#endif
#endif
#ifndef SANDBOX_SANITIZED
#define SANDBOX_SANITIZED 0
#endif

/* The most children of the compiler. */
enum { SANDBOX_CHILDREN = 2 };

struct sandbox_calls {
    const char *program; /* the one pointer that execve takes; or NULL */
    /* SANDBOX_CHILDREN that may be waited for and ended, 0: none; or NULL */
    const pid_t *children;
    bool writes; /* replaces files */
};

/* Allows only these calls from now on; false: it could not be done, the reason in
 * errno. */
bool
sandbox_filter(const struct sandbox_calls *c);
