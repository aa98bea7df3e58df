/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The identity of the simulator that makes the results: SHA-256 of the identities of
 * this program, `ventus-cc`, the OpenCL runtime and the device library beside it, so
 * that results of another build are not mistaken for its own.  Computed once. */
const char *
sweep_tools(void);

/* The commit that was built, with "-dirty" if files were changed; "unknown" outside of
 * git. */
extern const char sweep_commit[];
