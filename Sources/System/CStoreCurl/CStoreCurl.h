#pragma once
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

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

/// Goes to a place of a request's body.
typedef int (*cstore_curl_seek)(void *context, curl_off_t offset, int origin);

static inline CURLcode cstore_curl_set_seek(CURL *handle, cstore_curl_seek seek) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, seek);
}

/// Opens the socket for an address that a name has led to, or CURL_SOCKET_BAD to stay away from it.
typedef curl_socket_t (*cstore_curl_opener)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode cstore_curl_set_opener(CURL *handle, cstore_curl_opener opener) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
}

/// The address' bytes and port.
///
/// Returns how many bytes the address has, 4 or 16; 0 for a family without such addresses.
static inline int cstore_curl_address(
    const struct curl_sockaddr *address, unsigned char *bytes, unsigned int *port) {
    if (address->family == AF_INET) {
        const struct sockaddr_in *found = (const struct sockaddr_in *)&address->addr;
        memcpy(bytes, &found->sin_addr, 4);
        *port = ntohs(found->sin_port);
        return 4;
    }
    if (address->family == AF_INET6) {
        const struct sockaddr_in6 *found = (const struct sockaddr_in6 *)&address->addr;
        memcpy(bytes, &found->sin6_addr, 16);
        *port = ntohs(found->sin6_port);
        return 16;
    }
    return 0;
}

/// The socket that libcurl would have opened.
static inline curl_socket_t cstore_curl_open(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
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
