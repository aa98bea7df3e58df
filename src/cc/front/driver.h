/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * clang's driver and front end inside this process, from the archives of clang 19, where
 * the build has them (VENTUS_CLANG_INSIDE).  What it does, prints and returns is what the
 * program does with the same words: bitcode on standard output, messages on standard
 * error.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Compiles as the program would that is installed at `path`, beside whose folder clang's
 * own headers are; args[0] is its name in messages, and NULL follows the last word.
 * Returns the exit status.  It leaves memory behind: the process is to end soon. */
int
front_driver_main(const char *path, char **args);

/* Compiles an empty program, for what clang initialises when it first compiles, and
 * leaves the handlers of signals as they were. */
void
front_driver_warm(const char *path);

#ifdef __cplusplus
}
#endif
