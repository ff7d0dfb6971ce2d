#pragma once
#include <sqlite3.h>

/// `SQLITE_TRANSIENT` is a cast of -1, which Swift does not import.
static inline int bench_bind_text(sqlite3_stmt *statement, int index, const char *text) {
    return sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}
