#pragma once
#include <stdarg.h>
#include <stdlib.h>
#include <gd.h>
#include <png.h>

/// What libgd has complained about on this thread. Swift imports neither functions that take a
/// `va_list` nor variables of threads. One source file reads pictures, so there is one of these.
static inline unsigned *cstore_pictures_complaints(void) {
    static _Thread_local unsigned count;
    return &count;
}

static inline void cstore_pictures_count(int priority, const char *format, va_list values) {
    (void)priority;
    (void)format;
    (void)values;
    ++*cstore_pictures_complaints();
}

/// By itself, libgd writes to standard error what it complains about.
static inline void cstore_pictures_be_quiet(void) {
    gdSetErrorMethod(cstore_pictures_count);
}

/// Reads a JPEG; null where anything is wrong with it. By itself, libgd makes up the pixels that are
/// missing, and only complains.
static inline gdImagePtr cstore_pictures_read_jpeg(int size, const void *bytes) {
    *cstore_pictures_complaints() = 0;
    // It only reads; its interface is older than `const`.
    gdImagePtr image = gdImageCreateFromJpegPtrEx(size, (void *)bytes, 0);
    if (image != NULL && *cstore_pictures_complaints() > 0) {
        gdImageDestroy(image);
        return NULL;
    }
    return image;
}

/// Reads a PNG; null where it can't be read to its end. libgd's own way to libpng lets it write
/// warnings to standard error; libpng's simple interface keeps them to itself.
static inline gdImagePtr cstore_pictures_read_png(size_t size, const void *bytes) {
    png_image file = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&file, bytes, size)) { return NULL; }
    file.format = PNG_FORMAT_RGBA;
    file.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    size_t row = (size_t)file.width * 4;
    unsigned char *pixels = malloc(row * file.height);
    gdImagePtr image = NULL;
    if (pixels != NULL && png_image_finish_read(&file, NULL, pixels, 0, NULL)) {
        image = gdImageCreateTrueColor((int)file.width, (int)file.height);
    }
    if (image != NULL) {
        for (size_t y = 0; y < file.height; y++) {
            const unsigned char *from = pixels + y * row;
            for (size_t x = 0; x < file.width; x++, from += 4) {
                // libgd's alpha has seven bits, and 0 is opaque.
                image->tpixels[y][x] = gdTrueColorAlpha(
                    from[0], from[1], from[2], gdAlphaMax - (from[3] >> 1));
            }
        }
    }
    free(pixels);
    png_image_free(&file);
    return image;
}
