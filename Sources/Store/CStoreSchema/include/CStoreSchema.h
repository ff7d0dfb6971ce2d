// The schema of the store's database, and its later steps.
#pragma once

#include <stddef.h>

/// The base schema: Schema.sql.
const unsigned char *cstore_schema_base(size_t *count);
/// Step19.sql.
const unsigned char *cstore_schema_step19(size_t *count);
/// Step20.sql.
const unsigned char *cstore_schema_step20(size_t *count);
/// Step21.sql.
const unsigned char *cstore_schema_step21(size_t *count);
/// Step22.sql.
const unsigned char *cstore_schema_step22(size_t *count);
/// Step23.sql.
const unsigned char *cstore_schema_step23(size_t *count);
/// Step24.sql.
const unsigned char *cstore_schema_step24(size_t *count);
