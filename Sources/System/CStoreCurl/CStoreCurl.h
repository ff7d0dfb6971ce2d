#pragma once
#include <curl/curl.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift can't
// import.

static inline CURLcode cstore_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode cstore_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode cstore_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode cstore_curl_set_list(
    CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode cstore_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/// Gets bytes; what it returns is how many it took, and others than all end the transfer.
typedef size_t (*cstore_curl_sink)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode cstore_curl_set_sink(
    CURL *handle, CURLoption option, cstore_curl_sink sink) {
    return curl_easy_setopt(handle, option, sink);
}

/// What `context` was set as CURLOPT_PRIVATE.
static inline void *cstore_curl_private(CURL *handle) {
    void *value = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value);
    return value;
}

/// The next transfer that has ended, and with what; null where there is none.
static inline CURL *cstore_curl_ended(CURLM *multi, CURLcode *result) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
