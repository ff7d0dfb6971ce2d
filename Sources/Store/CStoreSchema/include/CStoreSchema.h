// The schema of the store's database, and the steps from one release to the next.
#pragma once

#include <stddef.h>

/// The schema of the first release: Schema.sql.
const unsigned char *cstore_schema_first(size_t *count);
/// Step19.sql.
const unsigned char *cstore_schema_step19(size_t *count);
/// Step20.sql.
const unsigned char *cstore_schema_step20(size_t *count);
