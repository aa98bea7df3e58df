/* SPDX-License-Identifier: Apache-2.0 */
/* Subcommands that are separate programs, in the folder of this one. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

int
command_cc(int argc, char **argv)
{
    static const char name[] = "ventus-cc";
    char path[4096];
    (void)argc;
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof name);
    if (n > 0) {
        path[n] = 0;
        memcpy(strrchr(path, '/') + 1, name, sizeof name);
        argv[0] = (char *)name;
        execv(path, argv);
    }
    fputs("cc: no ventus-cc beside this program; it is built if LLVM 19 is "
          "there\n",
          stderr);
    return 1;
}
