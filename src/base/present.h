/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Which pages of memory the system has: what was never touched has none, and is zero.
 * Reading a page to see that would make one.
 */
enum { PRESENT_PAGE = 4096 };

/*
 * Sets there[i] to 1 if the system holds page i of the `n` pages of anonymous memory at
 * `at`, else to 0.  All are 1 where the system does not tell.
 */
void
present_pages(const uint8_t *at, size_t n, uint8_t *there);
