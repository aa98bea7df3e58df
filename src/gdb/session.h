/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/gdb.h"
#include "gdb/machine.h"
#include "gdb/names.h"
#include "gdb/packet.h"
#include "gdb/resume.h"

/*
 * The conversation with one GDB, as the files of this module share it.
 *
 *     server.c    sockets
 *     launch.c    a launch begins and ends
 *     talk.c      it stops, waits for packets, continues
 *     visit.c     launches before it; past.c: which there are
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
    const struct ventus_sim_instrumentation *check;
    struct ventus_sim_instrumentation instrumentation;
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
     * the thread of the last stop first, whichever it is to continue with. */
    struct gdb_thread favoured;
    bool favours;
    struct gdb_resume resume;
    char notice[1024];
};

enum gdb_next { GDB_WAIT, GDB_GO, GDB_GO_BACK, GDB_LEAVE };
