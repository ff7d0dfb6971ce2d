#pragma once
#include <archive.h>
#include <archive_entry.h>

/// The `AE_IF*` macros are casts, which Swift does not import.
static inline int cstore_is_regular(unsigned int filetype) { return filetype == AE_IFREG; }
static inline int cstore_is_directory(unsigned int filetype) { return filetype == AE_IFDIR; }
static inline int cstore_is_symlink(unsigned int filetype) { return filetype == AE_IFLNK; }
static inline unsigned int cstore_regular(void) { return AE_IFREG; }
static inline unsigned int cstore_directory(void) { return AE_IFDIR; }
static inline unsigned int cstore_symlink(void) { return AE_IFLNK; }
