import CStoreCurl
import FoundationNetworking
import StoreModel

/// One request on libcurl. Used by the thread of its loop only.
final class Transfer {
    let handle: UnsafeMutableRawPointer
    private let request: URLRequest
    private let pace: TransferPace
    private let accept: @Sendable (HTTPURLResponse) throws -> Void
    private let sink: @Sendable (Data) throws -> Void
    private let end: @Sendable (Result<Void, any Error>) -> Void
    private var header: AnswerHeader
    private var isAccepted = false
    private var failure: (any Error)?
    private var fields: UnsafeMutablePointer<curl_slist>?

    init(
        _ request: URLRequest, pace: TransferPace,
        accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void,
        end: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        guard let handle = curl_easy_init() else { preconditionFailure("no memory for libcurl") }
        self.handle = handle
        self.request = request
        self.pace = pace
        self.accept = accept
        self.sink = sink
        self.end = end
        header = AnswerHeader(url: request.url)
    }

    deinit {
        request.httpBodyStream?.close()
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    /// Tells libcurl everything about the request.
    func prepare(_ id: UUID) {
        cstore_curl_set_text(handle, CURLOPT_URL, request.url?.absoluteString ?? "")
        cstore_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        cstore_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        cstore_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, 30)
        cstore_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, pace.leastSpeed)
        cstore_curl_set_number(
            handle, CURLOPT_LOW_SPEED_TIME, max(1, Int(pace.patience(with: request))))
        if let deadline = pace.deadline(of: request, sending: bodyLength ?? 0) {
            cstore_curl_set_number(handle, CURLOPT_TIMEOUT_MS, max(1, Int(deadline * 1000)))
        }
        cstore_curl_set_number(handle, CURLOPT_BUFFERSIZE, 256 << 10)
        cstore_curl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
        setMethod()
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            // Neither a name nor a value can begin a line of its own.
            let line = "\(name): \(value)".filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }
            fields = curl_slist_append(fields, line)
        }
        // No round trip before a body.
        fields = curl_slist_append(fields, "Expect:")
        cstore_curl_set_list(handle, CURLOPT_HTTPHEADER, fields)
        let context = Unmanaged.passUnretained(self).toOpaque()
        cstore_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        cstore_curl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.from(context).takeHeader(
                UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        cstore_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        cstore_curl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.from(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
    }

    /// Bytes of the request's body; `nil` for a streamed body without a `Content-Length`.
    private var bodyLength: Int64? {
        guard request.httpBodyStream != nil else { return Int64(request.httpBody?.count ?? 0) }
        return request.value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    }

    private func setMethod() {
        let method = request.httpMethod ?? "GET"
        if method == "HEAD" { cstore_curl_set_number(handle, CURLOPT_NOBODY, 1) }
        if let stream = request.httpBodyStream {
            setBody(stream)
        } else if let body = request.httpBody {
            cstore_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            body.withUnsafeBytes { bytes in
                // libcurl copies them.
                _ = cstore_curl_set_pointer(
                    handle, CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
        } else if method == "POST" {
            cstore_curl_set_number(handle, CURLOPT_POST, 1)
            cstore_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, 0)
            cstore_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, "")
        }
        cstore_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
    }

    /// A body that is read while it is sent, as long as the header says.
    private func setBody(_ stream: InputStream) {
        stream.open()
        cstore_curl_set_number(handle, CURLOPT_POST, 1)
        cstore_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bodyLength ?? -1))
        cstore_curl_set_pointer(
            handle, CURLOPT_READDATA, Unmanaged.passUnretained(stream).toOpaque())
        cstore_curl_set_sink(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return Int(CURL_READFUNC_ABORT) }
            let stream = Unmanaged<InputStream>.fromOpaque(context).takeUnretainedValue()
            let read = bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) {
                stream.read($0, maxLength: size * count)
            }
            return read < 0 ? Int(CURL_READFUNC_ABORT) : read
        }
    }

    /// Says how it has ended. To be called once.
    func finish(_ result: Result<Void, any Error>) {
        end(result)
    }

    /// How it has ended, by what libcurl says.
    func outcome(of result: CURLcode) -> Result<Void, any Error> {
        if let failure { return .failure(failure) }
        guard result == CURLE_OK else { return .failure(URLError(result, url: request.url)) }
        do {
            try acceptHeader()
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        guard header.take(line) else {
            failure = URLError(.badServerResponse)
            return 0
        }
        return line.count
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        do {
            try acceptHeader()
            try sink(Data(bytes))
            return bytes.count
        } catch {
            failure = error
            return bytes.count == 0 ? 1 : 0
        }
    }

    private func acceptHeader() throws {
        guard !isAccepted else { return }
        isAccepted = true
        try accept(try header.response())
    }
}

/// The lines before an answer's bytes.
struct AnswerHeader {
    private let url: URL?
    private var status = 0
    private var fields: [String: String] = [:]
    private var length = 0
    /// Bytes of all lines, those of interim answers included.
    private static let limit = 64 << 10

    init(url: URL?) {
        self.url = url
    }

    /// Takes a line as it came. What is no field is passed over.
    ///
    /// - Returns: false where the header is longer than any.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        length += bytes.count
        guard length <= Self.limit else { return false }
        add(bytes)
        return true
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let line = String(decoding: bytes, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        if line.hasPrefix(scalars: "HTTP/") {
            // Another one comes behind an interim answer.
            fields = [:]
            let words = line.split(scalar: " ")
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            return
        }
        let sides = line.split(scalar: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, fields.count < 200 else { return }
        let name = String(sides[0])
        let value = sides[1].trimmingCharacters(in: .whitespaces)
        fields[name] = fields[name].map { "\($0), \(value)" } ?? value
    }

    /// - Throws: `URLError.badServerResponse` where there is no status.
    func response() throws -> HTTPURLResponse {
        guard (100...999).contains(status), let url,
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: nil, headerFields: fields)
        else { throw URLError(.badServerResponse) }
        return response
    }
}
