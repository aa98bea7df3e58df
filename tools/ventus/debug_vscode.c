/* SPDX-License-Identifier: Apache-2.0 */
/* The file .vscode/launch.json for ventus debug --vscode: VS Code's extension for C
 * starts a GDB through MI, which connects to the port where `ventus debug --port`
 * waits. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "debug_vscode.h"

enum { PORT = 4000 };

static void
put_commands(struct json *j, const char *name, const char *text)
{
    json_new_line(j);
    json_array(j, name);
    json_object(j, NULL);
    json_string(j, "text", text);
    json_end(j);
    json_end(j);
}

static void
put_launch(FILE *out, const char *gdb, const char *script, const char *program)
{
    char name[64], server[64], source[4200], path[4200];
    struct json j = { .out = out };
    snprintf(name, sizeof name, "Kernels (ventus debug --port %d)", PORT);
    snprintf(server, sizeof server, "127.0.0.1:%d", PORT);
    snprintf(source, sizeof source, "source %s", script);
    snprintf(path, sizeof path, "%s%s",
             *program == '/' ? "" : "${workspaceFolder}/", program);
    json_object(&j, NULL);
    json_new_line(&j);
    json_string(&j, "version", "0.2.0");
    json_array(&j, "configurations");
    json_object(&j, NULL);
    json_new_line(&j);
    json_string(&j, "name", name);
    json_new_line(&j);
    json_string(&j, "type", "cppdbg");
    json_new_line(&j);
    json_string(&j, "request", "launch");
    json_new_line(&j);
    json_string(&j, "program", path);
    json_new_line(&j);
    json_string(&j, "cwd", "${workspaceFolder}");
    json_new_line(&j);
    json_string(&j, "MIMode", "gdb");
    json_new_line(&j);
    json_string(&j, "miDebuggerPath", gdb);
    json_new_line(&j);
    json_string(&j, "miDebuggerServerAddress", server);
    put_commands(&j, "setupCommands", source);
    put_commands(&j, "postRemoteConnectCommands", "sharedlibrary");
    json_end(&j);
    json_end(&j);
    json_end(&j);
    fprintf(out, "\n");
}

int
debug_write_vscode(const char *gdb, const char *script, int n,
                   char *const *words)
{
    static const char path[] = ".vscode/launch.json";
    bool there = mkdir(".vscode", 0777) == 0 || errno == EEXIST;
    FILE *out = there ? fopen(path, "wx") : NULL;
    if (!out) {
        fprintf(stderr, "debug: %s: %s\n", path, strerror(errno));
        return 1;
    }
    put_launch(out, gdb, script, words[0]);
    if (fclose(out)) {
        fprintf(stderr, "debug: %s: %s\n", path, strerror(errno));
        return 1;
    }
    printf("%s is written.  Start, then \"Run and Debug\" in VS Code:\n\n"
           "    ventus debug --port %d --",
           path, PORT);
    for (int i = 0; i < n; i++)
        printf(" %s", words[i]);
    printf("\n");
    return 0;
}
