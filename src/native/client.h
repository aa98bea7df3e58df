/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/native.h"

/*
 * The translator of a machine, which runs `ventus-native` for each page: a program of its
 * own, in the compiler's sandbox, so that the application has no LLVM.  What it answers
 * is mapped to be executed, and was never writable there.
 */
struct native_client;

/* NULL: no host memory, or *why says why this host has no translator. */
struct native_client *
native_client_open(const char **why);

void
native_client_close(struct native_client *c);

/* Valid until it is closed. */
const struct sim_translator *
native_client_translator(struct native_client *c);

/* The reply of ventus-native: this, then `size` bytes of code, whose function `page` is at
 * `start`; or with size 0 a text that says why there is none. */
enum { NATIVE_REPLY_MAGIC = 0x414e5456 };

struct native_reply {
    uint32_t magic, size, start, text;
};
