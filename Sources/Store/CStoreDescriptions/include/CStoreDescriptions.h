// Descriptions (OpenAPI) of interfaces that the store serves as others have made them.
#pragma once

#include <stddef.h>

/// What is served of App Store Connect's API: api/app-store-connect.json.
const unsigned char *cstore_descriptions_app_store_connect(size_t *count);
