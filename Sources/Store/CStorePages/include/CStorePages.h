// The files that pages of the store refer to.
#pragma once

#include <stddef.h>

/// The style sheet.
const unsigned char *cstore_pages_style(size_t *count);

/// The picture beside each title, SVG.
const unsigned char *cstore_pages_mark(size_t *count);

/// The style sheet of the portal.
const unsigned char *cstore_pages_connect_style(size_t *count);

/// What makes the portal pleasanter, an ES module.
const unsigned char *cstore_pages_connect_script(size_t *count);

/// The style sheet of the pages on which customers walk through the store.
const unsigned char *cstore_pages_storefront_style(size_t *count);

/// What tells the store whether somebody looks at a page, an ES module.
const unsigned char *cstore_pages_presence_script(size_t *count);
