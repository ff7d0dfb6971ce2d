import CStoreCurl
import Foundation
import StoreModel
import StoreSecurity

/// One attempt at a request, on libcurl. Blocks.
final class ObjectTransfer {
    /// A header has at most so many bytes.
    private static let headerLimit = 64 << 10

    /// How it went wrong.
    enum Failure: Error {
        /// libcurl's word; whether it may go better soon.
        case transport(String, isPassing: Bool)
        /// What the sink, or reading the body, has thrown.
        case own(any Error)
    }

    private let request: ObjectRequest
    private var answer = ObjectAnswer()
    private var headerBytes = 0
    private var sent: Int64 = 0
    private var hasBegun = false
    private var failure: (any Error)?

    init(_ request: ObjectRequest) {
        self.request = request
    }

    /// - Parameter headers: all of them, signed.
    /// - Throws: `Failure`.
    func run(
        on connections: ObjectConnections, url: String, headers: [(String, String)],
        authorities: String?
    ) throws -> ObjectAnswer {
        guard let curl = curl_easy_init() else { preconditionFailure("no memory for libcurl") }
        defer { curl_easy_cleanup(curl) }
        cstore_curl_set_text(curl, CURLOPT_URL, url)
        // The path is signed as it is, and so it has to be sent.
        cstore_curl_set_number(curl, CURLOPT_PATH_AS_IS, 1)
        cstore_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "http,https")
        cstore_curl_set_number(curl, CURLOPT_FOLLOWLOCATION, 0)
        cstore_curl_set_number(curl, CURLOPT_NOSIGNAL, 1)
        cstore_curl_set_number(curl, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authorities { cstore_curl_set_text(curl, CURLOPT_CAINFO, authorities) }
        cstore_curl_set_number(curl, CURLOPT_CONNECTTIMEOUT_MS, request.isUrgent ? 3000 : 10_000)
        if request.isUrgent { cstore_curl_set_number(curl, CURLOPT_TIMEOUT_MS, 5000) }
        cstore_curl_set_number(curl, CURLOPT_LOW_SPEED_LIMIT, 1)
        cstore_curl_set_number(curl, CURLOPT_LOW_SPEED_TIME, request.isSlow ? 600 : 60)
        // What this process starts gets none of its sockets.
        cstore_curl_set_opener(curl) { _, _, address in cstore_curl_open(address) }
        cstore_curl_set_number(curl, CURLOPT_BUFFERSIZE, 256 << 10)
        cstore_curl_set_number(curl, CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)
        cstore_curl_set_number(curl, CURLOPT_TCP_KEEPALIVE, 1)
        cstore_curl_set_text(curl, CURLOPT_USERAGENT, "OpenStore")
        var fields: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(fields) }
        for (name, value) in headers { fields = curl_slist_append(fields, "\(name): \(value)") }
        // No round trip before a body.
        fields = curl_slist_append(fields, "Expect:")
        cstore_curl_set_list(curl, CURLOPT_HTTPHEADER, fields)
        setMethod(curl)
        let context = Unmanaged.passUnretained(self).toOpaque()
        cstore_curl_set_pointer(curl, CURLOPT_HEADERDATA, context)
        cstore_curl_set_sink(curl, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            ObjectTransfer.from(context).takeHeader(
                UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        cstore_curl_set_pointer(curl, CURLOPT_WRITEDATA, context)
        cstore_curl_set_sink(curl, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            ObjectTransfer.from(context).take(
                UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        let result = withExtendedLifetime(self) { connections.perform(curl) }
        if let failure { throw Failure.own(failure) }
        answer.status = cstore_curl_status(curl)
        guard result == CURLE_OK else {
            throw Failure.transport(
                String(cString: curl_easy_strerror(result)), isPassing: Self.isPassing(result))
        }
        return answer
    }

    private func setMethod(_ curl: UnsafeMutableRawPointer) {
        switch request.method {
        case "GET": break
        case "HEAD": cstore_curl_set_number(curl, CURLOPT_NOBODY, 1)
        case "PUT", "POST":
            cstore_curl_set_number(curl, CURLOPT_UPLOAD, 1)
            cstore_curl_set_size(
                curl, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body.length))
            cstore_curl_set_pointer(
                curl, CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
            cstore_curl_set_sink(curl, CURLOPT_READFUNCTION) { bytes, size, count, context in
                guard let bytes else { return Int(CURL_READFUNC_ABORT) }
                return ObjectTransfer.from(context).give(
                    UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
            }
            cstore_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, request.method)
        default: cstore_curl_set_text(curl, CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ObjectTransfer {
        Unmanaged<ObjectTransfer>.fromOpaque(context!).takeUnretainedValue()
    }

    /// The next bytes of the body.
    private func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = Int(min(Int64(buffer.count), request.body.length - sent))
        guard count > 0 else { return 0 }
        switch request.body {
        case .none: return 0
        case .data(let data):
            let start = data.startIndex + Int(sent)
            data.copyBytes(to: buffer, from: start..<start + count)
            sent += Int64(count)
            return count
        case .file(let descriptor, let range):
            while true {
                let read = pread(
                    descriptor, buffer.baseAddress, count, off_t(range.lowerBound + sent))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    failure =
                        read < 0
                        ? ObjectStoreError.system("reading a file to be stored")
                        : ObjectStoreError(.disk, "A file became shorter while it was stored.")
                    return Int(CURL_READFUNC_ABORT)
                }
                sent += Int64(read)
                return read
            }
        }
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else { return 0 }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix(scalars: "HTTP/") {
            // What came before was on the way to this one.
            answer = ObjectAnswer()
            let parts = text.split(scalar: " ")
            answer.status = parts.count > 1 ? Int(parts[1].prefix(3)) ?? 0 : 0
        } else {
            let sides = text.split(scalar: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { return line.count }
            answer.headers[sides[0].lowercased()] =
                sides[1].trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return line.count
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        do {
            if let sink = request.sink, request.isAnswered(by: answer) {
                if !hasBegun { try request.began?(answer) }
                hasBegun = true
                try sink(bytes)
            } else {
                guard answer.body.count + bytes.count <= ObjectMarkup.limit else {
                    throw ObjectStoreError(.answer, "The object store's answer is too long.")
                }
                answer.body.append(contentsOf: bytes)
            }
            return bytes.count
        } catch {
            failure = error
            return 0
        }
    }

    /// What may go better when it is tried again.
    private static func isPassing(_ code: CURLcode) -> Bool {
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT, CURLE_SEND_ERROR, CURLE_RECV_ERROR,
            CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_COULDNT_RESOLVE_HOST,
            CURLE_SEND_FAIL_REWIND, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SSL_CONNECT_ERROR:
            true
        default: false
        }
    }
}

/// Connections of libcurl. One thread uses them at a time.
///
/// Each request has a handle of its own: before 8.1.1 libcurl reads freed memory where a handle is
/// used again, and the first line of an answer's header begins with a blank
/// (https://github.com/curl/curl/pull/11103).
final class ObjectConnections: @unchecked Sendable {
    // Sendable: ObjectClient lends it to one thread, which gives it back before the next has it.
    private static let isReady: Bool = {
        OpenSSLLibrary.ready
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()
    private let connections: UnsafeMutableRawPointer

    init() {
        guard Self.isReady, let connections = curl_multi_init() else {
            preconditionFailure("no memory for libcurl")
        }
        self.connections = connections
    }

    deinit {
        curl_multi_cleanup(connections)
    }

    /// Does what a handle says. Blocks.
    func perform(_ curl: UnsafeMutableRawPointer) -> CURLcode {
        guard curl_multi_add_handle(connections, curl) == CURLM_OK else {
            return CURLE_OUT_OF_MEMORY
        }
        defer { curl_multi_remove_handle(connections, curl) }
        var running: Int32 = 1
        while true {
            guard curl_multi_perform(connections, &running) == CURLM_OK else {
                return CURLE_OUT_OF_MEMORY
            }
            var result = CURLE_OK
            if cstore_curl_ended(connections, &result) != nil { return result }
            guard running > 0 else { return CURLE_RECV_ERROR }
            curl_multi_poll(connections, nil, 0, 1000, nil)
        }
    }
}
