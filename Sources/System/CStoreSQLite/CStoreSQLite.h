#pragma once
#include <sqlite3.h>

/// `SQLITE_TRANSIENT` is a cast of -1, which Swift does not import.
static inline int cstore_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

/// Lets SQLite count no memory: its threads would wait for each other at each allocation. To be
/// called before anything else; a variadic function, which Swift does not import.
static inline int cstore_configure(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// A NULL pointer would bind NULL: an empty blob is bound as a zero-length one.
static inline int cstore_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    if (length == 0) {
        return sqlite3_bind_zeroblob(statement, index, 0);
    }
    return sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

/// Has no trigger run on a connection; a variadic function, too.
static inline int cstore_ignore_triggers(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}
