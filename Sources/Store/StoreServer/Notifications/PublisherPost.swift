import CStoreCurl
import Foundation
import StoreCore
import StoreModel

/// One request to a publisher's server on libcurl. Used by the thread of its loop only.
final class PublisherPost {
    /// More of an answer is not looked at.
    private static let bodyLimit = 64 << 10
    private static let headerLimit = 64 << 10

    /// What is the same for all requests.
    struct Settings: Sendable {
        let targets: NotificationTargets
        /// A file with the certificates that are trusted, PEM; nil for those of the system.
        let authorities: URL?
        let timeout: Duration
    }

    let handle: UnsafeMutableRawPointer
    private let body: Data
    private let url: String
    private let settings: Settings
    private let end: @Sendable (SendAnswer?) -> Void
    /// What has come of the answer.
    private var answer = Data()
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// Why an address that the name leads to was left alone.
    private var refusal: String?
    private var location: String?
    private var headerBytes = 0
    private var bodyBytes = 0

    init(
        _ body: Data, to url: String, _ settings: Settings,
        end: @escaping @Sendable (SendAnswer?) -> Void
    ) {
        guard let handle = curl_easy_init() else { preconditionFailure("no memory for libcurl") }
        self.handle = handle
        self.body = body
        self.url = url
        self.settings = settings
        self.end = end
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
    }

    /// Says what came of it. To be called once.
    func finish(_ outcome: SendOutcome?) {
        end(outcome.map { SendAnswer($0, body: bodyBytes <= Self.bodyLimit ? answer : Data()) })
    }

    /// Tells libcurl everything about the request.
    func prepare() {
        cstore_curl_set_text(handle, CURLOPT_URL, url)
        cstore_curl_set_text(
            handle, CURLOPT_PROTOCOLS_STR, settings.targets == .internet ? "https" : "http,https")
        // Neither by the environment's proxies nor to where an answer points: a request goes to
        // the address that was looked at, or nowhere.
        cstore_curl_set_text(handle, CURLOPT_PROXY, "")
        cstore_curl_set_text(handle, CURLOPT_NOPROXY, "*")
        cstore_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
        cstore_curl_set_number(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authorities = settings.authorities {
            cstore_curl_set_text(handle, CURLOPT_CAINFO, authorities.path)
        }
        cstore_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        let timeout = settings.timeout.components
        cstore_curl_set_number(
            handle, CURLOPT_TIMEOUT_MS,
            Int(timeout.seconds) * 1000 + Int(timeout.attoseconds / 1_000_000_000_000_000))
        // A name server that doesn't answer would otherwise hold the loop, and so all requests, at
        // the request's end.
        cstore_curl_set_number(handle, CURLOPT_QUICK_EXIT, 1)
        cstore_curl_set_text(handle, CURLOPT_USERAGENT, "OpenStore-Notifications/2.0")
        fields = curl_slist_append(fields, "Content-Type: application/json")
        fields = curl_slist_append(fields, "Accept: */*")
        // No round trip before the body.
        fields = curl_slist_append(fields, "Expect:")
        cstore_curl_set_list(handle, CURLOPT_HTTPHEADER, fields)
        cstore_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        body.withUnsafeBytes { bytes in
            // libcurl copies them.
            _ = cstore_curl_set_pointer(
                handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            )
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        cstore_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
        cstore_curl_set_opener(handle) { context, _, address in
            guard let address else { return -1 }
            return PublisherPost.from(context).open(address)
        }
        cstore_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        cstore_curl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            PublisherPost.from(context).takeHeader(
                UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        cstore_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        cstore_curl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            PublisherPost.from(context).takeBody(
                UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> PublisherPost {
        Unmanaged<PublisherPost>.fromOpaque(context!).takeUnretainedValue()
    }

    // MARK: What libcurl asks and brings

    /// Looks at the very address that a connection would go to: whatever the name has led to
    /// before, and whatever form it has in the URL.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt32 = 0
        let count = Int(cstore_curl_address(address, &bytes, &port))
        guard let found = NetworkAddress(bytes: Array(bytes.prefix(count))) else {
            refusal = "The address leads to no host of the Internet Protocol."
            return -1
        }
        guard settings.targets.permits(found.kind) else {
            refusal = "The address leads to \(found.kind.phrase)."
            return -1
        }
        guard settings.targets.permits(port: Int(port)) else {
            refusal = "The address has port \(port), to which no notifications are sent."
            return -1
        }
        return cstore_curl_open(address)
    }

    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else { return 0 }
        let text = String(decoding: line, as: UTF8.self)
        if text.lowercased().hasPrefix(scalars: "location:") {
            location = String(text.unicodeScalars.dropFirst(9)).trimmingCharacters(
                in: .whitespacesAndNewlines)
        }
        return line.count
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        bodyBytes += bytes.count
        guard bodyBytes <= Self.bodyLimit else { return 0 }
        answer.append(contentsOf: bytes)
        return bytes.count
    }

    // MARK: The end

    /// What came of it, by what libcurl says.
    func outcome(of code: CURLcode) -> SendOutcome {
        let status = cstore_curl_status(handle)
        if code == CURLE_OK || (code == CURLE_WRITE_ERROR && bodyBytes > Self.bodyLimit) {
            return outcome(ofStatus: status)
        }
        if let refusal { return SendOutcome(.other, detail: refusal) }
        let reason =
            headerBytes > Self.headerLimit
            ? "The answer's header is too long" : String(cString: curl_easy_strerror(code))
        return SendOutcome(
            Self.result(of: code), status: status > 0 ? status : nil, detail: reason + ".")
    }

    private func outcome(ofStatus status: Int) -> SendOutcome {
        if DeliveryRules.isSuccess(status: status) { return SendOutcome(.success, status: status) }
        if (300...399).contains(status), let location, let from = URL(string: url),
            let target = URL(string: location, relativeTo: from)
        {
            let isCircle = target.absoluteURL == from.absoluteURL
            return SendOutcome(
                isCircle ? .circularRedirect : .unsuccessfulStatus, status: status,
                detail: isCircle
                    ? "The answer points back at the same address."
                    : "The answer points elsewhere; notifications don't follow.")
        }
        return SendOutcome(.unsuccessfulStatus, status: status)
    }

    private static func result(of code: CURLcode) -> SendResult {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_SHUTDOWN_FAILED, CURLE_USE_SSL_FAILED:
            .tlsIssue
        case CURLE_GOT_NOTHING: .noResponse
        case CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM: .prematureClose
        case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_RECV_ERROR: .socketIssue
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2,
            CURLE_UNSUPPORTED_PROTOCOL, CURLE_WRITE_ERROR:
            .invalidResponse
        default: .other
        }
    }
}
