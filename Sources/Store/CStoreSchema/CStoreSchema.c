#include "CStoreSchema.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char base[] = {
#embed "Schema.sql"
};

static const unsigned char step19[] = {
#embed "Step19.sql"
};

static const unsigned char step20[] = {
#embed "Step20.sql"
};

static const unsigned char step21[] = {
#embed "Step21.sql"
};

static const unsigned char step22[] = {
#embed "Step22.sql"
};

static const unsigned char step23[] = {
#embed "Step23.sql"
};

static const unsigned char step24[] = {
#embed "Step24.sql"
};

const unsigned char *cstore_schema_base(size_t *count) {
    *count = sizeof base;
    return base;
}

const unsigned char *cstore_schema_step19(size_t *count) {
    *count = sizeof step19;
    return step19;
}

const unsigned char *cstore_schema_step20(size_t *count) {
    *count = sizeof step20;
    return step20;
}

const unsigned char *cstore_schema_step21(size_t *count) {
    *count = sizeof step21;
    return step21;
}

const unsigned char *cstore_schema_step22(size_t *count) {
    *count = sizeof step22;
    return step22;
}

const unsigned char *cstore_schema_step23(size_t *count) {
    *count = sizeof step23;
    return step23;
}

const unsigned char *cstore_schema_step24(size_t *count) {
    *count = sizeof step24;
    return step24;
}
