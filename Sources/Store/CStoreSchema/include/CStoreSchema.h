// The schema of the store's database, and the steps to it.
#pragma once

#include <stddef.h>

/// Schema.sql.
const unsigned char *cstore_schema_base(size_t *count);
/// Steps.sql.
const unsigned char *cstore_schema_steps(size_t *count);
