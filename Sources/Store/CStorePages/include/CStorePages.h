// The files that pages of the store refer to.
#pragma once

#include <stddef.h>

/// The style sheet.
const unsigned char *cstore_pages_style(size_t *count);

/// The picture beside each title, SVG.
const unsigned char *cstore_pages_mark(size_t *count);
