/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ventus-native: translates a page of decoded instructions to code of the host.  Machines
 * start it; standard input is a file with a struct native_request, standard output gets a
 * struct native_reply.  What it reads comes from programs that nobody has checked, so it
 * is in the sandbox of the compiler.
 */
#define _GNU_SOURCE /* F_SETOWN, O_ASYNC */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cc/sandbox/sandbox.h"
#include "native/client.h"
#include "native/translate.h"

static bool
write_reply(const struct buf *code, uint32_t start, const char *why)
{
    struct native_reply r = { .magic = NATIVE_REPLY_MAGIC };
    if (why) {
        r.text = (uint32_t)strlen(why);
    } else {
        r.size = (uint32_t)code->n;
        r.start = start;
    }
    fwrite(&r, sizeof r, 1, stdout);
    if (why)
        fwrite(why, r.text, 1, stdout);
    else
        fwrite(code->at, code->n, 1, stdout);
    return fflush(stdout) == 0 && !ferror(stdout);
}

/*
 * The application has the other end of the pipe that is standard error.  When it drops the
 * request, or ends, however it does, the kernel sends SIGIO, and this process ends, too.
 * Nothing is read there, which would also send it.
 */
static bool
end_with_application(void)
{
    struct stat st;
    struct pollfd p = { .fd = STDERR_FILENO };
    if (fstat(STDERR_FILENO, &st) != 0 || !S_ISFIFO(st.st_mode))
        return true;
    int flags = fcntl(STDERR_FILENO, F_GETFL);
    fcntl(STDERR_FILENO, F_SETOWN, getpid());
    fcntl(STDERR_FILENO, F_SETFL, flags | O_ASYNC);
    return poll(&p, 1, 0) <= 0 || !(p.revents & POLLERR);
}

/* Enters the sandbox, where no file can be opened; after it the request is read. */
static uint8_t *
read_request(struct arena *a, size_t *size, struct diag_sink *sink)
{
    enum { CPU_S = 60 };
    struct sandbox s = { 0 };
    if (!sandbox_from_environment(&s, sink))
        return NULL;
    s.cpu_s = s.cpu_s && s.cpu_s < CPU_S ? s.cpu_s : CPU_S;
    if (!sandbox_close_files(&s, sink))
        return NULL;
    uint8_t *bytes = file_read(a, "-", size, sink);
    return bytes && sandbox_close_calls(&s, NULL, sink) ? bytes : NULL;
}

int
main(int argc, char **argv)
{
    struct arena a = { 0 };
    struct diag_sink sink = { 0 };
    struct buf code = { 0 };
    const char *why = NULL;
    uint32_t start = 0;
    size_t size;
    (void)argv;
    if (argc != 1) {
        fputs("usage: ventus-native <REQUEST >REPLY\n", stderr);
        return 2;
    }
    if (!end_with_application())
        return 1;
    uint8_t *bytes = read_request(&a, &size, &sink);
    if (!bytes)
        why = "the request cannot be read";
    else if (translate_accepts(bytes, size, &why))
        translate_page((const struct native_request *)(const void *)bytes,
                       &code, &start, &why);
    bool ok = write_reply(&code, start, why);
    _exit(!ok); /* LLVM's destructors take a millisecond */
}
