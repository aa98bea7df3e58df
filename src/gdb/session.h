/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/gdb.h"
#include "gdb/going.h"
#include "gdb/machine.h"
#include "gdb/names.h"
#include "gdb/packet.h"

/*
 * The conversation with one GDB, as the files of this module share it.
 *
 *     server.c    sockets
 *     session.c   a launch: stops, waits for packets, goes on
 *     visit.c     launches before it
 *     requests.c  packets about threads, registers, memory, breakpoints
 *     xfer.c      packets that read files: descriptions, threads, programs
 *     monitor.c   the commands of "monitor"
 */
/* GDB looks at a launch before the present one, or is about to. */
struct gdb_visit {
    const struct gdb_past *past; /* of the present launch; NULL: GDB is there */
    uint64_t at, wanted;         /* numbers of launches: here, and next */
    bool at_end;                 /* the next one is entered at its end */
    bool jumps;                  /* GDB goes there, whatever it says next */
    bool crossed;                /* a step has come from another launch */
    bool stops;                  /* it has arrived: the next stop is here */
    bool entered, leaves;        /* the launch has begun; GDB leaves for good */
};

struct gdb {
    int listener, socket; /* -1: none */
    char *path;           /* of a socket in the file system, or NULL */
    struct gdb_reader *reader;
    uint8_t input[4096];
    size_t input_at, input_n;
    struct buf output, reply,
        sent;                    /* sent: the last packet, to be sent again */
    struct buf threads;          /* their list, which GDB reads in parts */
    bool no_ack, attached, gone; /* gone: detached, or it hung up */
    bool interrupted;
    /* The launch, while there is one. */
    struct gdb_machine *m;
    const struct gdb_launch *launch;
    const struct ventus_sim_watch *check;
    struct ventus_sim_watch watch;
    bool greeted, kills; /* GDB has connected; wants the launch to fail */
    struct gdb_visit visit;
    uint64_t known;  /* the program whose code GDB knows */
    bool tells_code; /* the next stop is that it knows another one */
    struct gdb_names names;
    struct gdb_stops stops;
    struct gdb_stop stop;              /* the last one */
    struct gdb_thread thread, resumed; /* of H g, of H c */
    bool any_resumed;                  /* of H c: it is not for one thread */
    /* H g has named others since the stop; the user has selected that of H g. */
    unsigned others;
    bool chosen;
    /* The thread that GDB's Python has named, until a breakpoint stops one: GDB may step
     * the thread of the last stop first, whichever it is to go on with. */
    struct gdb_thread favoured;
    bool favours;
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

/* The thread that steps if GDB names none. */
struct gdb_thread
gdb_current_thread(const struct gdb *g);

/* GDB stands before the next instruction of the machine. */
void
gdb_stand_here(struct gdb *g);

/*
 * GDB has not read the symbols of this program: a stop, after which it reads
 * them, sets its breakpoints and goes on by itself.
 */
enum gdb_next
gdb_tell_code(struct gdb *g, enum gdb_next next);

/* Goes on and stops until GDB leaves, the launch ends (g->stop), or GDB goes to
 * another launch. */
enum gdb_next
gdb_talk(struct gdb *g, enum gdb_next next);

/* Runs what is left of the launch. */
void
gdb_run_to_end(struct gdb *g);

/* ---- visit.c ---- */

/* What GDB may go back to, and where it is; NULL: nothing. */
const struct gdb_past *
gdb_past_of(const struct gdb *g, uint64_t *at);

/* It has stopped: does GDB go on in another launch? */
bool
gdb_wants_other(struct gdb *g);

/* From the present launch to others, and back to its beginning. */
enum gdb_next
gdb_visit_others(struct gdb *g);

/* One of these has begun. */
void
gdb_visit_begun(struct gdb *g);

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

/* ---- pixels.c ---- */

/* "[NAME [X[,Y[,Z]] [COUNT]]]": images among the arguments, pixels of one. */
void
gdb_show_image(struct gdb *g, const char *rest, struct buf *out);

/* ---- monitor.c ---- */

void
gdb_monitor(struct gdb *g, const char *command, struct buf *out);
