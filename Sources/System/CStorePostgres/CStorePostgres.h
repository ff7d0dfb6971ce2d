#pragma once
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <unistd.h>

// Swift imports libpq's enums as structures of their own, and neither its macros of characters nor
// what poll() takes on all of its platforms: here they are plain numbers.

static inline bool cstore_pq_is_open(const PGconn *connection) {
    return PQstatus(connection) == CONNECTION_OK;
}

/// Whether the server has said that no transaction is open.
static inline bool cstore_pq_is_idle(const PGconn *connection) {
    return PQtransactionStatus(connection) == PQTRANS_IDLE;
}

/// Whether the server has closed its side of the connection, whatever still waits to be read.
static inline bool cstore_pq_was_left(const PGconn *connection) {
    // POLLRDHUP of Linux, whose name needs _GNU_SOURCE before the first header of all.
    enum { readingEnded = 0x2000 };
    struct pollfd file = {.fd = PQsocket(connection), .events = readingEnded};
    return poll(&file, 1, 0) != 0;
}

/// What became of a statement.
enum {
    CSTORE_PQ_DONE = 0,
    CSTORE_PQ_ROWS = 1,
    /// The end of what was sent together.
    CSTORE_PQ_SYNC = 2,
    /// Not run, because one before it has failed.
    CSTORE_PQ_SKIPPED = 3,
    CSTORE_PQ_FAILED = 4,
    CSTORE_PQ_COPY = 5,
};

static inline int cstore_pq_outcome(const PGresult *result) {
    switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK: return CSTORE_PQ_DONE;
    case PGRES_TUPLES_OK: return CSTORE_PQ_ROWS;
    case PGRES_PIPELINE_SYNC: return CSTORE_PQ_SYNC;
    case PGRES_PIPELINE_ABORTED: return CSTORE_PQ_SKIPPED;
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT: return CSTORE_PQ_COPY;
    default: return CSTORE_PQ_FAILED;
    }
}

static inline const char *cstore_pq_sqlstate(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

static inline const char *cstore_pq_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/// Waits until the connection has something to be read, or somebody wakes the descriptor, or the time is over.
///
/// Returns 1 for the connection, 2 for the descriptor, 3 for both, 0 for neither.
static inline int cstore_pq_wait(const PGconn *connection, int descriptor, int milliseconds) {
    struct pollfd files[2] = {
        {.fd = connection ? PQsocket(connection) : -1, .events = POLLIN},
        {.fd = descriptor, .events = POLLIN},
    };
    int count = poll(files, 2, milliseconds);
    if (count <= 0) {
        return 0;
    }
    return (files[0].revents ? 1 : 0) | (files[1].revents ? 2 : 0);
}

/// A descriptor by which one wakes who waits; -1 where there are no more.
static inline int cstore_wake_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void cstore_wake_send(int descriptor) { (void)eventfd_write(descriptor, 1); }

static inline void cstore_wake_close(int descriptor) {
    if (descriptor >= 0) {
        close(descriptor);
    }
}
