/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets: where GDB connects, bytes in, packets out. */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/oom.h"
#include "gdb/server.h"
#include "gdb/session.h"

/* ---- where it listens ---- */

static int
fail_listen(char *text, size_t size, const char *where, const char *why)
{
    snprintf(text, size, "gdb: cannot listen on '%s': %s", where, why);
    return -1;
}

/* A path of a socket is the user's alone before it takes connections. */
static bool
is_private(const struct sockaddr *at)
{
    return at->sa_family != AF_UNIX ||
           chmod(((const struct sockaddr_un *)at)->sun_path, 0600) == 0;
}

static int
listen_on(int s, const struct sockaddr *at, socklen_t at_B, const char *where,
          char *text, size_t size)
{
    if (s >= 0 && bind(s, at, at_B) == 0 && is_private(at) && listen(s, 1) == 0)
        return s;
    fail_listen(text, size, where, strerror(errno));
    if (s >= 0)
        close(s);
    return -1;
}

/* Listens for connections of this host only. */
static int
listen_tcp(const char *where, FILE *told, char *text, size_t size)
{
    char *end;
    unsigned long port = strtoul(where, &end, 10);
    struct sockaddr_in at = { .sin_family = AF_INET };
    socklen_t at_B = sizeof at;
    int one = 1;
    if (*where < '0' || *where > '9' || *end || port > 65535)
        return fail_listen(text, size, where,
                           "expected a port, unix:PATH or fd:N");
    at.sin_port = htons((uint16_t)port);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s >= 0)
        setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    s = listen_on(s, (struct sockaddr *)&at, sizeof at, where, text, size);
    if (s >= 0 && told && getsockname(s, (struct sockaddr *)&at, &at_B) == 0) {
        fprintf(told, "ventus: waiting for gdb: target remote 127.0.0.1:%u\n",
                ntohs(at.sin_port));
        fflush(told);
    }
    return s;
}

static int
listen_unix(const char *path, FILE *told, char *text, size_t size)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    if (!*path || strlen(path) >= sizeof at.sun_path)
        return fail_listen(text, size, path,
                           "expected a path of at most 107 bytes");
    strcpy(at.sun_path, path);
    int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    s = listen_on(s, (struct sockaddr *)&at, sizeof at, path, text, size);
    if (s >= 0 && told) {
        fprintf(told, "ventus: waiting for gdb: target remote %s\n", path);
        fflush(told);
    }
    return s;
}

static int
listen_fd(const char *number, char *text, size_t size)
{
    char *end;
    unsigned long n = strtoul(number, &end, 10);
    int listens = 0;
    socklen_t listens_B = sizeof listens;
    if (*number < '0' || *number > '9' || *end || n > 1 << 20 ||
        getsockopt((int)n, SOL_SOCKET, SO_ACCEPTCONN, &listens, &listens_B) ||
        !listens)
        return fail_listen(text, size, number,
                           "expected a socket that listens");
    return (int)n;
}

struct gdb *
gdb_open(const char *where, FILE *told, char *text, size_t size)
{
    struct gdb *g = calloc(1, sizeof *g);
    if (g)
        g->reader = calloc(1, sizeof *g->reader);
    if (!g || !g->reader) {
        snprintf(text, size, "out of host memory");
        free(g);
        return NULL;
    }
    bool is_unix = strncmp(where, "unix:", 5) == 0;
    g->socket = -1;
    g->listener = is_unix ? listen_unix(where + 5, told, text, size)
                  : strncmp(where, "fd:", 3) == 0
                      ? listen_fd(where + 3, text, size)
                      : listen_tcp(where, told, text, size);
    if (g->listener < 0) {
        free(g->reader);
        free(g);
        return NULL;
    }
    g->path = is_unix ? strdup(where + 5) : NULL;
    return g;
}

bool
gdb_may_open(const char *where, char *text, size_t size)
{
    if (strncmp(where, "fd:", 3) == 0)
        return listen_fd(where + 3, text, size) >= 0;
    struct gdb *g = gdb_open(where, NULL, text, size);
    gdb_close(g, 0);
    return g != NULL;
}

/* ---- who connects ---- */

/* Connections that have said nothing so far; more than these wait in the queue
 * of the system. */
enum { SILENT_MAX = 8 };

/*
 * Tests whether GDB has connected: a page in a browser of this host reaches the port,
 * too, and its requests begin with a word.  GDB begins with an acknowledgement,
 * a packet or an interrupt.
 */
static bool
begins_like_gdb(int s)
{
    uint8_t first;
    ssize_t n;
    do
        n = recv(s, &first, 1, MSG_PEEK);
    while (n < 0 && errno == EINTR);
    return n == 1 && first && strchr("+-$\3", first);
}

/* The first one that speaks; those that speak otherwise are hung up on.  -1: the
 * listener is gone. */
static int
wait_for_gdb(int listener)
{
    struct pollfd p[SILENT_MAX + 1] = { { .fd = listener, .events = POLLIN } };
    nfds_t n = 1;
    int found = -1;
    bool fails = false;
    while (found < 0 && !fails) {
        p[0].events = n <= SILENT_MAX ? POLLIN : 0;
        if (poll(p, n, -1) < 0) {
            fails = errno != EINTR;
            continue;
        }
        for (nfds_t i = n; found < 0 && --i > 0;) {
            if (!p[i].revents)
                continue;
            if (begins_like_gdb(p[i].fd))
                found = p[i].fd;
            else
                close(p[i].fd);
            p[i] = p[--n];
        }
        if (found < 0 && p[0].revents & POLLIN) {
            int s = accept(listener, NULL, NULL);
            if (s >= 0)
                p[n++] = (struct pollfd){ .fd = s, .events = POLLIN };
            else
                fails = errno != EINTR && errno != ECONNABORTED;
        }
        fails = fails || p[0].revents & (POLLERR | POLLHUP | POLLNVAL);
    }
    while (n > 1)
        close(p[--n].fd);
    return found;
}

bool
gdb_accept(struct gdb *g)
{
    int one = 1;
    g->socket = wait_for_gdb(g->listener);
    close(g->listener);
    g->listener = -1;
    if (g->path)
        unlink(g->path);
    g->gone = g->socket < 0;
    if (!g->gone)
        setsockopt(g->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    g->attached = !g->gone;
    return g->attached;
}

void
gdb_hang_up(struct gdb *g)
{
    if (g->socket >= 0)
        close(g->socket);
    if (g->listener >= 0)
        close(g->listener);
    if (g->listener >= 0 && g->path)
        unlink(g->path);
    g->socket = g->listener = -1;
    g->gone = true;
    g->attached = false;
}

/* ---- out ---- */

static void
write_all(struct gdb *g, const uint8_t *at, size_t n)
{
    while (n && !g->gone) {
        ssize_t done = send(g->socket, at, n, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            gdb_hang_up(g);
            return;
        }
        at += done;
        n -= (size_t)done;
    }
}

static void
send_again(struct gdb *g)
{
    write_all(g, g->sent.at, g->sent.n);
}

void
gdb_send_reply(struct gdb *g)
{
    g->sent.n = 0;
    gdb_put_packet(&g->sent, g->reply.at, g->reply.n);
    g->reply.n = 0;
    send_again(g);
}

void
gdb_say(struct gdb *g, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n <= 0 || g->gone)
        return;
    size_t size = (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    g->reply.n = 0;
    buf_u8(&g->reply, 'O');
    gdb_put_hex(&g->reply, text, size);
    gdb_send_reply(g);
}

/* ---- in ---- */

/* Waits for bytes, at most so long; false: there are none. */
static bool
fill_input(struct gdb *g, int ms)
{
    struct pollfd p = { .fd = g->socket, .events = POLLIN };
    if (g->gone || (poll(&p, 1, ms) <= 0 && ms == 0))
        return false;
    ssize_t n = recv(g->socket, g->input, sizeof g->input, 0);
    if (n < 0 && errno == EINTR)
        return false;
    if (n <= 0) {
        gdb_hang_up(g);
        return false;
    }
    g->input_at = 0;
    g->input_n = (size_t)n;
    return true;
}

static enum gdb_event
take_byte(struct gdb *g)
{
    enum gdb_event e = gdb_read_byte(g->reader, g->input[g->input_at++]);
    if (e == GDB_RESEND)
        send_again(g);
    if (e == GDB_PACKET && !g->no_ack)
        write_all(g, (const uint8_t *)"+", 1);
    if (e == GDB_BAD && !g->no_ack)
        write_all(g, (const uint8_t *)"-", 1);
    return e;
}

enum gdb_event
gdb_next_event(struct gdb *g)
{
    while (!g->gone) {
        if (g->input_at == g->input_n && !fill_input(g, -1))
            continue;
        enum gdb_event e = take_byte(g);
        if (e == GDB_PACKET || e == GDB_INTERRUPT)
            return e;
    }
    return GDB_BAD;
}

bool
gdb_is_interrupted(void *ctx)
{
    struct gdb *g = ctx;
    while (g->input_at < g->input_n || fill_input(g, 0))
        if (take_byte(g) == GDB_INTERRUPT)
            return true;
    return g->gone;
}

static void
say_exit(void *ctx)
{
    struct gdb *g = ctx;
    gdb_send_reply(g);
}

void
gdb_close(struct gdb *g, int status)
{
    if (!g)
        return;
    char text[8];
    snprintf(text, sizeof text, "W%02x", status & 255);
    g->reply.n = 0;
    if (!g->gone && g->attached && buf_reserve(&g->reply, 64)) {
        buf_put(&g->reply, text, strlen(text));
        oom_call(say_exit, g);
    }
    gdb_hang_up(g);
    gdb_stops_free(&g->stops);
    gdb_names_free(&g->names);
    buf_free(&g->output);
    buf_free(&g->threads);
    buf_free(&g->reply);
    buf_free(&g->sent);
    free(g->path);
    free(g->reader);
    free(g);
}
