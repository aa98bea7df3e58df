/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/native.h"

/*
 * The translator of a machine, which runs `ventus-native` for each page: a program of its
 * own, in the compiler's sandbox, so that the application has no LLVM.  What it answers
 * is mapped to be executed, and was never writable there.
 *
 * There is no thread that waits for it: its reply is read when the machine looks.  It ends
 * with the machine, and with the application, however that ends.  Applications do not see
 * it as a child, and may fork or close all descriptors while it runs.
 */
struct native_client;

/* Instructions after which a page is worth its translation: 8 M take the interpreter 30
 * to 40 ms, and the translation of a page 80 to 300 ms of another processor. */
enum { NATIVE_HOT = 8 << 20 };

/* `hot` as in struct sim_translator: 0, NATIVE_HOT.  NULL: no host memory, or *why says
 * why this host has no translator. */
struct native_client *
native_client_open(uint64_t hot, const char **why);

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
