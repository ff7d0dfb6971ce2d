#pragma once
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

/// A macro over a variadic function.
static inline EVP_PKEY *bench_generate_p256(void) { return EVP_EC_gen("P-256"); }
