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
 * Of `n` pages of anonymous memory at `at`, those for which the system has a page: 0 or 1
 * in `there`.  Where it does not say that, all.
 */
void
present_pages(const uint8_t *at, size_t n, uint8_t *there);
