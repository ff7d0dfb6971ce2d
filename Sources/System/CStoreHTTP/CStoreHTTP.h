#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <microhttpd.h>

/// What the daemon is started with. `MHD_start_daemon` is variadic and so is not
/// imported by Swift.
struct cstore_http_options {
    unsigned int threads;
    /// The most connections of one thread.
    unsigned int connection_limit;
    unsigned int timeout_seconds;
    size_t connection_memory;
    /// The server's certificates and its key as PEM; null for a daemon without TLS.
    const char *certificates;
    const char *key;
    /// Hears of connections that begin and that have ended; null for nobody.
    MHD_NotifyConnectionCallback notify;
    void *notify_context;
    /// Whether sockets are closed without a shutdown(2), so that a duplicate of one goes on.
    int spares_sockets;
};

/// What the daemon that this thread starts has complained of first.
static inline char *cstore_http_complaint(void) {
    static _Thread_local char text[256];
    return text;
}

static inline void cstore_http_note(void *context, const char *format, va_list values) {
    (void)context;
    if (cstore_http_complaint()[0] == 0) {
        vsnprintf(cstore_http_complaint(), 256, format, values);
    }
}

/// What stands in a new request's slot where its address has `%00`, at which libmicrohttpd ends
/// a path or a value: the rest would never be seen. No object has this address.
static inline void *cstore_http_cut(void) {
    return (void *)1;
}

static inline void *cstore_http_look_at_address(
    void *context, const char *address, struct MHD_Connection *connection) {
    (void)context;
    (void)connection;
    return strstr(address, "%00") == NULL ? NULL : cstore_http_cut();
}

static inline struct MHD_Daemon *cstore_http_start(
    struct cstore_http_options options,
    MHD_AccessHandlerCallback handler, void *handler_context,
    MHD_RequestCompletedCallback completed, void *completed_context) {
    unsigned int flags =
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG |
        MHD_USE_NO_LISTEN_SOCKET;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)options.certificates},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)options.key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
        {MHD_OPTION_END, 0, NULL},
    };
    if (options.key != NULL) {
        flags |= MHD_USE_TLS;
    } else {
        tls[0].option = MHD_OPTION_END;
    }
    if (options.spares_sockets) {
        // "Disables certain calls to shutdown()": microhttpd.h.
        flags |= MHD_USE_TURBO;
    }
    cstore_http_complaint()[0] = 0;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, handler_context,
        // The first one: what others complain of would go to standard error.
        MHD_OPTION_EXTERNAL_LOGGER, cstore_http_note, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, options.notify, options.notify_context,
        MHD_OPTION_ARRAY, tls,
        MHD_OPTION_NOTIFY_COMPLETED, completed, completed_context,
        MHD_OPTION_URI_LOG_CALLBACK, cstore_http_look_at_address, NULL,
        MHD_OPTION_THREAD_POOL_SIZE, options.threads,
        // libmicrohttpd divides it among the threads.
        MHD_OPTION_CONNECTION_LIMIT, options.connection_limit * options.threads,
        MHD_OPTION_CONNECTION_TIMEOUT, options.timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options.connection_memory,
        MHD_OPTION_END);
}

/// The C library declares accept4(2) for `_GNU_SOURCE` only, with which a header can't be a module of
/// Swift's.
int cstore_http_accept4(
    int listener, struct sockaddr *address, socklen_t *length, int flags) __asm__("accept4");

/// A socket that no program inherits and that doesn't block; -1 for none.
static inline int cstore_http_accept(int listener, struct sockaddr *address, socklen_t *length) {
    return cstore_http_accept4(listener, address, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// A descriptor by which one wakes who waits; -1 where there are no more.
static inline int cstore_http_wake_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void cstore_http_wake_send(int descriptor) {
    const uint64_t one = 1;
    // It fails only where somebody has done so very often already.
    (void)!write(descriptor, &one, sizeof one);
}

static inline void cstore_http_wake_clear(int descriptor) {
    uint64_t count;
    (void)!read(descriptor, &count, sizeof count);
}

/// The address of who is connected; null where it is not known.
static inline const struct sockaddr *cstore_http_peer_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/// What a listener for connections has put beside this one.
static inline void *cstore_http_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The socket of a connection; -1 where it is not known.
static inline int cstore_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// Bytes that a TCP socket has received, and that the other side has confirmed: fields of Linux's
/// `struct tcp_info` that the C library's header does not have (tcp(7), `TCP_INFO`).
///
/// Returns 1 where the system tells both.
static inline int cstore_http_traffic(int socket, uint64_t *received, uint64_t *acknowledged) {
    enum { acknowledged_offset = 120, received_offset = 128, size = 136 };
    unsigned char info[256];
    socklen_t length = sizeof info;
    // 6 is IPPROTO_TCP, 11 is TCP_INFO.
    if (getsockopt(socket, 6, 11, info, &length) != 0 || length < size) {
        return 0;
    }
    memcpy(acknowledged, info + acknowledged_offset, sizeof *acknowledged);
    memcpy(received, info + received_offset, sizeof *received);
    return 1;
}

// libmicrohttpd's enums are closed, which gives their cases other names in Swift.
static const enum MHD_Result cstore_http_yes = MHD_YES;
static const enum MHD_Result cstore_http_no = MHD_NO;
static const enum MHD_ConnectionNotificationCode cstore_http_started =
    MHD_CONNECTION_NOTIFY_STARTED;
static const enum MHD_ValueKind cstore_http_header = MHD_HEADER_KIND;
static const enum MHD_ValueKind cstore_http_query = MHD_GET_ARGUMENT_KIND;
static const enum MHD_ResponseMemoryMode cstore_http_copy = MHD_RESPMEM_MUST_COPY;
