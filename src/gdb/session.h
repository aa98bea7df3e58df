/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/gdb.h"
#include "gdb/going.h"
#include "gdb/machine.h"
#include "gdb/packet.h"

/*
 * The conversation with one GDB, as the files of this module share it.
 *
 *     server.c    sockets
 *     session.c   a launch: stops, waits for packets, goes on
 *     requests.c  packets about threads, registers, memory, breakpoints
 *     xfer.c      packets that read files: descriptions, threads, programs
 *     monitor.c   the commands of "monitor"
 */
struct gdb {
    int listener, socket; /* -1: none */
    char *path;           /* of a socket in the file system, or NULL */
    struct gdb_reader *reader;
    uint8_t input[4096];
    size_t input_at, input_n;
    struct buf output, reply,
        sent;                    /* sent: the last packet, to be sent again */
    bool no_ack, attached, gone; /* gone: detached, or it hung up */
    bool interrupted;
    /* The launch, while there is one. */
    struct gdb_machine *m, machine;
    const struct gdb_launch *launch;
    const struct ventus_sim_watch *check;
    struct ventus_sim_watch watch;
    bool greeted, kills; /* GDB has connected; wants the launch to fail */
    uint64_t known;      /* the program whose code GDB knows */
    bool tells_code;     /* the next stop is that it knows another one */
    struct gdb_stops stops;
    struct gdb_stop stop;              /* the last one */
    struct gdb_thread thread, resumed; /* of H g, of H c */
    bool any_resumed;                  /* of H c: it is not for one thread */
    struct gdb_going going;
    char notice[1024];
};

enum gdb_next { GDB_WAIT, GDB_GO, GDB_GO_BACK, GDB_LEAVE };

/* ---- server.c ---- */

/* The next event; GDB_BAD and g->gone: GDB is gone. */
enum gdb_event
gdb_next_event(struct gdb *g);

/* Has GDB asked for a stop while the launch runs?  g is the ctx. */
bool
gdb_is_interrupted(void *g);

/* Sends g->reply as a packet. */
void
gdb_send_reply(struct gdb *g);

/* Waits for GDB; false: it does not come. */
bool
gdb_accept(struct gdb *g);

void
gdb_hang_up(struct gdb *g);

/* Shows text to the user; while GDB waits for a stop. */
void
gdb_say(struct gdb *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- session.c ---- */

/* Puts the reply to `?` and to what goes on. */
void
gdb_put_stop(struct gdb *g);

/* ---- requests.c ---- */

/* Puts the reply into g->reply, if it does not go on. */
enum gdb_next
gdb_request(struct gdb *g, const char *packet, size_t size);

/* ---- xfer.c ---- */

/* Packets that begin with "q" or "vFile:"; false: it is none of these. */
bool
gdb_query(struct gdb *g, struct gdb_text *t);

bool
gdb_file_request(struct gdb *g, struct gdb_text *t);

/* ---- monitor.c ---- */

void
gdb_monitor(struct gdb *g, const char *command, struct buf *out);
