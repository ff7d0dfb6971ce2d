// The texts that customers read, a file of gettext's for each language.
#pragma once

#include <stddef.h>

/// The file of a language, UTF-8 without a NUL at its end.
///
/// - Parameter language: `en` for the template, otherwise the name of the file.
/// - Returns: NULL where there is none.
const char *cstore_texts(const char *language, size_t *count);
