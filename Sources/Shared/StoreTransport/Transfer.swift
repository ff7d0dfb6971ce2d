import CStoreCurl
import Foundation

/// One request on libcurl. One thread uses it.
final class Transfer {
    let handle: UnsafeMutableRawPointer
    /// Tells those of one loop apart.
    let id: Int
    let request: TransportRequest
    let configuration: HTTPClient.Configuration
    private let accept: (TransportResponse) throws -> Void
    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private var header: ResponseHeader
    private var accepted: TransportResponse?
    private var received = 0
    private var sent: Int64 = 0
    /// What the caller's closures threw, or which limit was passed.
    private var failure: (any Error)?
    /// Why an address that the name leads to was kept away from; another one may do.
    private var refusal: (any Error)?
    var fields: UnsafeMutablePointer<curl_slist>?

    /// - Throws: `TransportError` with `unavailable`.
    init(
        _ request: TransportRequest, _ configuration: HTTPClient.Configuration, id: Int = 0,
        accept: @escaping (TransportResponse) throws -> Void,
        sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let handle = curl_easy_init() else { throw TransportError.noMemory }
        self.handle = handle
        self.id = id
        self.request = request
        self.configuration = configuration
        self.accept = accept
        self.sink = sink
        header = ResponseHeader(limit: request.limits.headerSize)
        prepare()
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { preconditionFailure("libcurl has lost a transfer") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: What libcurl asks and brings

    /// Opens the socket for an address, or not. No program that this process starts inherits it.
    func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        guard let permit = configuration.permit else { return cstore_curl_open(address) }
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt32 = 0
        let count = Int(cstore_curl_address(address, &bytes, &port))
        do {
            try permit(PeerAddress(bytes: Array(bytes.prefix(count)), port: Int(port)))
            return cstore_curl_open(address)
        } catch {
            refusal = error
            return -1
        }
    }

    func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        guard header.take(line) else {
            failure = TransportError(
                .headerTooLong, "The response's header is too long", response: response)
            return 0
        }
        return line.count
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        do {
            try acceptHeader()
            received += bytes.count
            if let limit = request.limits.bodySize, received > limit {
                throw TransportError(
                    .bodyTooLong, "The response has more than \(limit) bytes", response: response)
            }
            try sink(bytes)
            return bytes.count
        } catch {
            failure = error
            // Another number than there were ends the transfer.
            return bytes.count == 0 ? 1 : 0
        }
    }

    /// The next bytes of the body.
    func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            let count = try read(into: buffer)
            sent += Int64(count)
            return count
        } catch {
            failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Goes to a place of the body, where it is sent again.
    func seek(to offset: Int64) -> Int32 {
        guard case .file(_, let range) = request.body, offset >= 0, offset <= range.count else {
            return offset == sent ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
        }
        sent = offset
        return CURL_SEEKFUNC_OK
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        switch request.body {
        // libcurl has them.
        case .none, .data: return 0
        case .stream(_, let source):
            let count = try source(buffer)
            guard (0...buffer.count).contains(count) else {
                throw TransportError(.unreadableBody, "The body has no such number of bytes")
            }
            return count
        case .file(let descriptor, let range):
            let count = Int(min(Int64(buffer.count), Int64(range.count) - sent))
            guard count > 0 else { return 0 }
            while true {
                let read = pread(
                    descriptor, buffer.baseAddress, count, off_t(range.lowerBound + sent))
                if read > 0 { return read }
                if read < 0, errno == EINTR { continue }
                throw TransportError(
                    .unreadableBody,
                    read < 0
                        ? "Reading the file to be sent: \(String(cString: strerror(errno)))"
                        : "A file became shorter while it was sent")
            }
        }
    }

    // MARK: The end

    private var response: TransportResponse? { accepted ?? header.response(from: request.url) }

    /// How it has ended, by what libcurl says.
    func outcome(of result: CURLcode) -> Result<TransportResponse, any Error> {
        if let failure { return .failure(failure) }
        guard result == CURLE_OK else {
            return .failure(refusal ?? TransportError(result, response: response))
        }
        return Result { try acceptHeader() }
    }

    @discardableResult
    private func acceptHeader() throws -> TransportResponse {
        if let accepted { return accepted }
        guard let response else {
            throw TransportError(.invalidResponse, "The response has no status")
        }
        accepted = response
        try accept(response)
        return response
    }
}
