/* SPDX-License-Identifier: Apache-2.0 */
/* The last error of this thread, which ventus_dev_message returns. */
#pragma once

#include <ventus/dev.h>

#include "base/diag.h"

/* Sets this thread's message; always false. */
bool
dev_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails because the host has no memory for `what`; see ventus_dev_lacks_memory. */
bool
dev_fail_memory(const char *what);

/* Fails with the message of something else that failed. */
bool
dev_fail_as(const char *text, bool lacks_memory);

/* The messages of a sink as this thread's message; always false. */
bool
dev_fail_sink(const struct diag_sink *sink);
