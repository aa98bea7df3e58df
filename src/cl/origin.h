/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Which call of the program created an object, in words, for reports of checks: "the
 * 3rd clCreateBuffer, in main (app.c:57) of app".  `call` is counted.  NULL: no checks
 * are wanted, or no host memory.  The caller frees it.
 */
char *
origin_describe(const char *call, unsigned *count);
