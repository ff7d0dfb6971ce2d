#pragma once
#include <fcntl.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/xattr.h>
#include <unistd.h>

// Calls of Linux that the C library declares only under _GNU_SOURCE, which the module that
// Swift sees it through does not define. Signatures as in sync_file_range(2), syncfs(2),
// rename(2), memmem(3) and spawn.h.
int sync_file_range(int fd, long long offset, long long count, unsigned int flags);
int syncfs(int fd);
void *memmem(
    const void *haystack, unsigned long haystacklen, const void *needle, unsigned long needlelen);
int renameat2(
    int olddirfd, const char *oldpath, int newdirfd, const char *newpath, unsigned int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// `SYNC_FILE_RANGE_WRITE`: begin to write, and don't wait.
static const unsigned int cstore_begin_writing = 2;
/// `RENAME_NOREPLACE`: fail where the new path exists.
static const unsigned int cstore_no_replace = 1;
/// `RENAME_EXCHANGE`: two paths change places in one step.
static const unsigned int cstore_exchange = 2;
/// `SEEK_DATA`: lseek(2) to where data begins at or behind an offset.
static const int cstore_seek_data = 3;

/// setxattr(2), whose header Swift's module of the C library leaves out.
static inline int cstore_set_attribute(
    const char *path, const char *name, const void *value, unsigned long size) {
    return setxattr(path, name, value, size, 0);
}

/// removexattr(2).
static inline int cstore_remove_attribute(const char *path, const char *name) {
    return removexattr(path, name);
}

/// `POSIX_SPAWN_SETSID`: a program in a session of its own, which no terminal ends.
static const short cstore_new_session = 0x80;

/// The user of the process at the other end of a local socket; -1 where nobody knows (unix(7)).
static inline long cstore_peer_user(int socket) {
    struct { int process; unsigned int user; unsigned int group; } peer;
    socklen_t length = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return -1;
    return length == sizeof peer ? (long)peer.user : -1;
}

/// mallopt(3): gives memory back as soon as it is free. Without it, the C library keeps up to
/// eight pools for each processor, and what was once asked for in large pieces.
static inline void cstore_keep_memory_small(void) {
    mallopt(M_ARENA_MAX, 4);
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 512 << 10);
}
