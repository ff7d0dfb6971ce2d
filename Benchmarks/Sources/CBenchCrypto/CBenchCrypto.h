#pragma once
#include <openssl/ec.h>
#include <openssl/evp.h>

/// A macro over a variadic function.
static inline EVP_PKEY *bench_generate_p256(void) { return EVP_EC_gen("P-256"); }
