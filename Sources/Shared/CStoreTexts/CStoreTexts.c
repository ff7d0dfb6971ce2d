#include "CStoreTexts.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char en[] = {
#embed "texts.pot"
};

static const char ja[] = {
#embed "ja.po"
};

static const char ru[] = {
#embed "ru.po"
};

static const char zh_hans[] = {
#embed "zh-Hans.po"
};

static const char zh_hant[] = {
#embed "zh-Hant.po"
};

static const struct {
    const char *language;
    const char *bytes;
    size_t count;
} files[] = {
    {"en", en, sizeof en},
    {"ja", ja, sizeof ja},
    {"ru", ru, sizeof ru},
    {"zh-Hans", zh_hans, sizeof zh_hans},
    {"zh-Hant", zh_hant, sizeof zh_hant},
};

const char *cstore_texts(const char *language, size_t *count) {
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (strcmp(files[i].language, language) == 0) {
            *count = files[i].count;
            return files[i].bytes;
        }
    }
    return NULL;
}
