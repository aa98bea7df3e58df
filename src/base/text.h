/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/*
 * Appends to the text in an array of `size` bytes; what does not fit is cut
 * off.  For messages that a struct holds by value and several hands write.
 */
void
text_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
