/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/*
 * native.c: the example engine of docs/engines.md.  It has memory of its own
 * and executes no instruction: each kernel is a function of the host, which
 * native_kernel names by the entry of the kernel.
 */
struct native_item {
    void *machine;
    uint64_t ptbr;
    uint64_t args;  /* virtual address of the arguments */
    uint64_t id[3]; /* global */
};

typedef void
native_function(const struct native_item *item);

/* The kernel at this entry is that function; NULL forgets it. */
void
native_kernel(uint64_t entry, native_function *function);

/* A word of the kernel's memory; an access to what is not there is a fault. */
uint32_t
native_load(const struct native_item *item, uint64_t address);

void
native_store(const struct native_item *item, uint64_t address, uint32_t word);
