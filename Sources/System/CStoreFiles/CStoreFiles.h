#pragma once

// Calls of Linux that the C library declares only under _GNU_SOURCE, which the module that
// Swift sees it through does not define. Signatures as in sync_file_range(2), syncfs(2) and
// rename(2).
int sync_file_range(int fd, long long offset, long long count, unsigned int flags);
int syncfs(int fd);
int renameat2(
    int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned int flags);

/// `SYNC_FILE_RANGE_WRITE`: begin to write, and don't wait.
static const unsigned int cstore_begin_writing = 2;
/// `RENAME_NOREPLACE`: fail where the new path exists.
static const unsigned int cstore_no_replace = 1;
