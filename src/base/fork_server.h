/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>
#include <sys/resource.h>

/*
 * A program that stays loaded for one client and forks for each of its requests
 * (base/fork_client.h): what loading costs is paid once.
 *
 * The client's socket, a SOCK_SEQPACKET, carries a byte for each request with three files:
 * the request's own socket, a stream; the output of the run; its working folder.  The
 * server forks at once, and reads nothing.  On the stream come
 *
 *     from the server    the number of the process, an int32_t
 *     from the client    struct fork_request, then its words and its environment,
 *                        strings ended by zero bytes
 *     from the server    waitpid's status, an int32_t
 *
 * A client that closes the stream, or its side of it, has the run killed with the
 * processes of its group.
 */
struct fork_request {
    uint32_t words, env; /* how many strings */
    uint64_t size;       /* of all of them, in bytes */
    struct rlimit limits[RLIM_NLIMITS];
};

enum { FORK_STREAM, FORK_OUTPUT, FORK_FOLDER, FORK_FILES };

struct fork_server {
    int socket;  /* the client's */
    long client; /* its process */
    /* In the forked process, with the n words of the request: its exit status. */
    int (*run)(int n, char **words);
    void (*warm)(void); /* before the second request; or NULL */
};

/* Serves requests until the client has ended, or has closed the socket and its runs have
 * ended.  This process must have one thread and is not a child of the client.
 * Returns in a forked process, with the exit status of the run in *status, or in the
 * server at the end; false: the server. */
_Bool
fork_server_serve(const struct fork_server *s, int *status);
