/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Forked processes.  fork() copies one thread.  A child of a process whose queues had
 * threads has objects that wait for threads which do not exist there, and devices
 * whose state was copied in the middle of a launch.  In such a child every handle but
 * that of the platform is invalid, so that a call with it returns its error code; the
 * devices are opened anew by clGetDeviceIDs. */

/* Installs the handlers, before the first thread is made; further calls do nothing. */
void
fork_watch(void);
