import CStoreCurl

/// Why there is no response, or not all of it.
package struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of problem it is.
    package struct Code: Sendable, Hashable {
        private enum Value {
            case address, scheme, hostNotFound, unreachable, timedOut, noResponse, truncated
            case connectionLost, protocolViolation, invalidResponse, secureConnection, certificate
            case headerTooLong, bodyTooLong, unreadableBody, tooManyRedirects, cancelled
            case unavailable, other
        }
        private let value: Value

        private init(_ value: Value) { self.value = value }

        /// The URL is none.
        package static let address = Code(.address)
        /// The URL's scheme may not be used, or the server speaks another protocol.
        package static let scheme = Code(.scheme)
        /// The name of the server, or of the proxy, leads to no address.
        package static let hostNotFound = Code(.hostNotFound)
        /// Nobody accepts a connection.
        package static let unreachable = Code(.unreachable)
        /// A limit of time was reached.
        package static let timedOut = Code(.timedOut)
        /// The connection was closed before the first byte of a response.
        package static let noResponse = Code(.noResponse)
        /// The connection was closed within a response.
        package static let truncated = Code(.truncated)
        /// Sending or receiving failed.
        package static let connectionLost = Code(.connectionLost)
        /// The frames of HTTP/2 are broken.
        package static let protocolViolation = Code(.protocolViolation)
        /// What came is no response of HTTP, or sends the request where it may not go.
        package static let invalidResponse = Code(.invalidResponse)
        /// There is no secure connection.
        package static let secureConnection = Code(.secureConnection)
        /// The server's certificate isn't trusted, or is for another name.
        package static let certificate = Code(.certificate)
        package static let headerTooLong = Code(.headerTooLong)
        package static let bodyTooLong = Code(.bodyTooLong)
        /// The file with the request's body can't be read, or is shorter than was said.
        package static let unreadableBody = Code(.unreadableBody)
        package static let tooManyRedirects = Code(.tooManyRedirects)
        package static let cancelled = Code(.cancelled)
        /// There is no memory for a request.
        package static let unavailable = Code(.unavailable)
        package static let other = Code(.other)
    }

    package let code: Code
    /// libcurl's words, or the client's own, without a full stop. Safe to show.
    package let description: String
    /// The response as far as it has come, without a body; `nil` if there was no status line.
    package let response: TransportResponse?

    package init(_ code: Code, _ description: String, response: TransportResponse? = nil) {
        self.code = code
        self.description = description
        self.response = response
    }

    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    static let noMemory = TransportError(.unavailable, "There is no memory for connections")
    static let cancellation = TransportError(.cancelled, "The request was cancelled")
}

extension TransportError {
    /// What libcurl ended with.
    init(_ result: CURLcode, response: TransportResponse?) {
        let code: Code =
            switch result {
            case CURLE_URL_MALFORMAT: .address
            case CURLE_UNSUPPORTED_PROTOCOL: .scheme
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .hostNotFound
            case CURLE_COULDNT_CONNECT: .unreachable
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_GOT_NOTHING: .noResponse
            case CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM: .truncated
            case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND: .connectionLost
            case CURLE_HTTP2: .protocolViolation
            case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
                .invalidResponse
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_SHUTDOWN_FAILED, CURLE_USE_SSL_FAILED:
                .secureConnection
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR,
                CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
                .certificate
            case CURLE_OUT_OF_MEMORY: .unavailable
            default: .other
            }
        self.init(code, String(cString: curl_easy_strerror(result)), response: response)
    }
}
