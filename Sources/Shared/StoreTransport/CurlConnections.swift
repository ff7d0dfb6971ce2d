import CStoreCurl
import StoreSecurity

/// Transfers of libcurl that are under way, and the connections that they share.
///
/// Each request has a handle of its own: before 8.1.1 libcurl reads freed memory where a handle is
/// used again, and the first line of a response's header begins with a blank
/// (https://github.com/curl/curl/pull/11103).
final class CurlConnections: @unchecked Sendable {
    // Sendable: one thread at a time uses it, the one of its loop or the one that HTTPClient has
    // lent it to; wakeUp, which libcurl allows any thread, is the exception.
    private static let isReady: Bool = {
        OpenSSLLibrary.ready
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    private let multi: UnsafeMutableRawPointer

    /// - Throws: `TransportError` with `unavailable`.
    init() throws {
        guard Self.isReady, let multi = curl_multi_init() else { throw TransportError.noMemory }
        self.multi = multi
    }

    deinit {
        curl_multi_cleanup(multi)
    }

    /// Begins a transfer, which whoever calls keeps until it is removed.
    ///
    /// - Returns: false if there is no memory for it.
    func add(_ transfer: Transfer) -> Bool {
        curl_multi_add_handle(multi, transfer.handle) == CURLM_OK
    }

    func remove(_ transfer: Transfer) {
        curl_multi_remove_handle(multi, transfer.handle)
    }

    /// Does what can be done without waiting.
    ///
    /// - Returns: how many transfers go on; `nil` if libcurl can't go on with any.
    func advance() -> Int? {
        var count: Int32 = 0
        return curl_multi_perform(multi, &count) == CURLM_OK ? Int(count) : nil
    }

    /// A transfer that has ended, with what libcurl says; `nil` if there is no other.
    func nextEnded() -> (transfer: Transfer, result: CURLcode)? {
        var result = CURLE_OK
        guard let handle = cstore_curl_ended(multi, &result),
            let context = cstore_curl_private(handle)
        else { return nil }
        return (Transfer.from(context), result)
    }

    /// Waits until something can be done, somebody wakes it up, or time is over.
    func wait(milliseconds: Int32) {
        curl_multi_poll(multi, nil, 0, milliseconds, nil)
    }

    func wakeUp() {
        curl_multi_wakeup(multi)
    }

    /// Sends a request, and waits for its end.
    func perform(
        _ request: TransportRequest, _ configuration: HTTPClient.Configuration,
        accept: (TransportResponse) throws -> Void,
        sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> TransportResponse {
        try withoutActuallyEscaping(accept) { accept in
            try withoutActuallyEscaping(sink) { sink in
                let transfer = try Transfer(request, configuration, accept: accept, sink: sink)
                guard add(transfer) else { throw TransportError.noMemory }
                defer { remove(transfer) }
                while let running = advance() {
                    if let ended = nextEnded() {
                        return try transfer.outcome(of: ended.result).get()
                    }
                    guard running > 0 else { break }
                    wait(milliseconds: 1000)
                }
                throw TransportError(.connectionLost, "libcurl has lost the request")
            }
        }
    }
}
