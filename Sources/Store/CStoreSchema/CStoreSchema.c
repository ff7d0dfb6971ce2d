#include "CStoreSchema.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char first[] = {
#embed "Schema.sql"
};

static const unsigned char step19[] = {
#embed "Step19.sql"
};

static const unsigned char step20[] = {
#embed "Step20.sql"
};

const unsigned char *cstore_schema_first(size_t *count) {
    *count = sizeof first;
    return first;
}

const unsigned char *cstore_schema_step19(size_t *count) {
    *count = sizeof step19;
    return step19;
}

const unsigned char *cstore_schema_step20(size_t *count) {
    *count = sizeof step20;
    return step20;
}
