#pragma once
#include <fcntl.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// Calls of Linux that Swift's module of the C library leaves out, because headers declare
// them for _GNU_SOURCE only.

/// syncfs(2): brings everything of the file system that a descriptor is on to disk.
static inline int cstore_syncfs(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

/// lseek(2) with SEEK_DATA: where data begins at or behind an offset.
static inline long long cstore_seek_data(int descriptor, long long offset) {
    return lseek(descriptor, offset, 3);
}

/// renameat2(2) with RENAME_EXCHANGE: two paths change places in one step.
static inline int cstore_exchange(const char *left, const char *right) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, left, AT_FDCWD, right, 2);
}

/// setxattr(2): sets an extended attribute of a file.
static inline int cstore_set_attribute(
    const char *path, const char *name, const void *value, unsigned long size) {
    return setxattr(path, name, value, size, 0);
}

/// mallopt(3): gives memory back as soon as it is free. Without it, the C library keeps up to
/// eight pools for each processor, and what was once asked for in large pieces.
static inline void cstore_keep_memory_small(void) {
    mallopt(M_ARENA_MAX, 4);
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 512 << 10);
}
