#include "CStorePages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char style[] = {
#embed "pages.css"
};

static const unsigned char mark[] = {
#embed "mark.svg"
};

const unsigned char *cstore_pages_style(size_t *count) {
    *count = sizeof style;
    return style;
}

const unsigned char *cstore_pages_mark(size_t *count) {
    *count = sizeof mark;
    return mark;
}
