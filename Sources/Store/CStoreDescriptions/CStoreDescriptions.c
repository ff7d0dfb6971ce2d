#include "CStoreDescriptions.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_store_connect[] = {
#embed "../../../api/app-store-connect.json"
};

const unsigned char *cstore_descriptions_app_store_connect(size_t *count) {
    *count = sizeof app_store_connect;
    return app_store_connect;
}
