#include "CStoreSchema.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char base[] = {
#embed "Schema.sql"
};

static const unsigned char steps[] = {
#embed "Steps.sql"
};

const unsigned char *cstore_schema_base(size_t *count) {
    *count = sizeof base;
    return base;
}

const unsigned char *cstore_schema_steps(size_t *count) {
    *count = sizeof steps;
    return steps;
}
