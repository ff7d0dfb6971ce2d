#pragma once
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

/// Macros over `EVP_PKEY_Q_keygen`, which is variadic.
static inline EVP_PKEY *cstore_generate_p256(void) {
    return EVP_EC_gen("P-256");
}

/// A fresh key from so many prime numbers, which `EVP_RSA_gen` has no word for; NULL where it fails.
static inline EVP_PKEY *cstore_generate_rsa(unsigned int bits, int primes) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    if (context && EVP_PKEY_keygen_init(context) > 0
        && EVP_PKEY_CTX_set_rsa_keygen_bits(context, (int)bits) > 0
        && EVP_PKEY_CTX_set_rsa_keygen_primes(context, primes) > 0) {
        EVP_PKEY_generate(context, &key);
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/// `sk_ASN1_TYPE_pop_free` is a macro.
static inline void cstore_free_values(STACK_OF(ASN1_TYPE) *values) {
    sk_ASN1_TYPE_pop_free(values, ASN1_TYPE_free);
}

/// `sk_X509_pop_free` is a macro.
static inline void cstore_free_certificates(STACK_OF(X509) *certificates) {
    sk_X509_pop_free(certificates, X509_free);
}

/// `sk_GENERAL_NAME_pop_free` is a macro.
static inline void cstore_free_general_names(STACK_OF(GENERAL_NAME) *names) {
    sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free);
}

/// Whether an error says that a PEM file has come to its end; the parts of an error are macros.
static inline int cstore_is_end_of_pem(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

/// `BIO_get_mem_data` is a macro.
static inline long cstore_bio_contents(BIO *bio, char **contents) {
    return BIO_get_mem_data(bio, contents);
}

/// Adds an extension in the notation of OpenSSL's configuration files.
/// Returns 0 where OpenSSL does not take the value.
static inline int cstore_add_extension(
    X509 *certificate, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (extension == NULL) {
        return 0;
    }
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}

/// Adds a non-critical extension with an identifier of its own and the value NULL
/// (DER `05 00`).
static inline int cstore_add_marker_extension(X509 *certificate, const char *oid) {
    static const unsigned char null_value[2] = {0x05, 0x00};
    ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
    ASN1_OCTET_STRING *octets = ASN1_OCTET_STRING_new();
    int added = 0;
    if (object != NULL && octets != NULL && ASN1_OCTET_STRING_set(octets, null_value, 2) == 1) {
        X509_EXTENSION *extension = X509_EXTENSION_create_by_OBJ(NULL, object, 0, octets);
        if (extension != NULL) {
            added = X509_add_ext(certificate, extension, -1);
            X509_EXTENSION_free(extension);
        }
    }
    ASN1_OCTET_STRING_free(octets);
    ASN1_OBJECT_free(object);
    return added;
}

/// Whether the certificate carries an extension with this identifier.
static inline int cstore_has_extension(const X509 *certificate, const char *oid) {
    ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
    if (object == NULL) {
        return 0;
    }
    int found = X509_get_ext_by_OBJ(certificate, object, -1) >= 0;
    ASN1_OBJECT_free(object);
    return found;
}
