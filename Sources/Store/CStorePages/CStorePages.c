#include "CStorePages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "palette.css"
,
#embed "pages.css"
};

static const unsigned char mark[] = {
#embed "mark.svg"
};

static const unsigned char connect_style[] = {
#embed "palette.css"
,
#embed "connect.css"
};

static const unsigned char storefront_style[] = {
#embed "palette.css"
,
#embed "storefront.css"
};

static const unsigned char connect_script[] = {
#embed "connect.js"
};

static const unsigned char presence_script[] = {
#embed "presence.js"
};

const unsigned char *cstore_pages_style(size_t *count) {
    *count = sizeof style;
    return style;
}

const unsigned char *cstore_pages_mark(size_t *count) {
    *count = sizeof mark;
    return mark;
}

const unsigned char *cstore_pages_connect_style(size_t *count) {
    *count = sizeof connect_style;
    return connect_style;
}

const unsigned char *cstore_pages_connect_script(size_t *count) {
    *count = sizeof connect_script;
    return connect_script;
}

const unsigned char *cstore_pages_storefront_style(size_t *count) {
    *count = sizeof storefront_style;
    return storefront_style;
}

const unsigned char *cstore_pages_presence_script(size_t *count) {
    *count = sizeof presence_script;
    return presence_script;
}
