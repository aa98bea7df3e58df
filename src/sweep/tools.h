/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Which simulator the results are of: SHA-256 of what identifies this program,
 * `ventus-cc`, the OpenCL runtime and the device library beside it, so that
 * results of another build are not taken for its own.  Computed once.
 */
const char *
sweep_tools(void);

/* The commit it was built from, "-dirty" behind it if files were changed;
 * "unknown" outside of git. */
extern const char sweep_commit[];
