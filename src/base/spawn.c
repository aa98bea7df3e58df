/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* environ, closefrom, chdir */
#include "base/spawn.h"

#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <unistd.h>

int
spawn_start(const struct spawn *s, pid_t *pid)
{
    assert(s->args[0] && s->out >= 0 && s->err >= 0);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, s->out, 1);
    posix_spawn_file_actions_adddup2(&files, s->err, 2);
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    if (s->folder)
        posix_spawn_file_actions_addchdir_np(&files, s->folder);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP |
                                        POSIX_SPAWN_SETSIGMASK |
                                        POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attr, 0);
    posix_spawnattr_setsigmask(&attr, &none);
    posix_spawnattr_setsigdefault(&attr, &all);
    int error = posix_spawn(pid, s->path, &files, &attr,
                            (char *const *)(uintptr_t)s->args,
                            s->env ? s->env : environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&files);
    return error;
}
