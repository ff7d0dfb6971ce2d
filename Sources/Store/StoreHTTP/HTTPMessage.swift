import Foundation

/// The methods that routes are made for.
package enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// Header fields in the order in which they came; names are compared without case.
package struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    package private(set) var fields: [(name: String, value: String)]

    package init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The first value under the name; setting replaces all of them.
    package subscript(name: String) -> String? {
        get { fields.first { isSameName($0.name, name) }?.value }
        set {
            fields.removeAll { isSameName($0.name, name) }
            if let newValue { fields.append((name: name, value: newValue)) }
        }
    }

    /// The value of the last field under the name: of a list that each proxy adds to, the part
    /// of the nearest one.
    package func last(_ name: String) -> String? {
        fields.last { isSameName($0.name, name) }?.value
    }

    /// The values of all fields under the name, in their order.
    package func all(_ name: String) -> [String] {
        fields.filter { isSameName($0.name, name) }.map(\.value)
    }

    package mutating func append(_ name: String, _ value: String) {
        fields.append((name: name, value: value))
    }
}

/// ASCII letters alike but for case.
private func isSameName(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    return zip(left.utf8, right.utf8).allSatisfy { a, b in
        a == b
            || (a | 0x20 == b | 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(a | 0x20))
    }
}

/// A request, read whole.
package struct HTTPRequest: Sendable {
    /// The method's name as it came; `HEAD` is routed as `GET`.
    package var method: String
    /// The path, percent-decoded, without the query.
    package var path: String
    package var query: [(name: String, value: String)]
    package var headers: HTTPHeaders
    /// Empty where the body is in a file.
    package var body: Data
    /// The body, where the server keeps it on disk; see `BodySpooling`.
    package var bodyFile: AnonymousFile?
    /// What stood in the place of the route's `{…}`, in order.
    package var parameters: [String]
    /// The address of who is connected; nil where there is no connection.
    package var peer: IPAddress?
    /// Whose word about clients is believed: proxies in front of this server.
    package var proxies = AddressSet.loopback
    /// What goes along with the request to its end; nil where there is no connection.
    package var trace: RequestTrace?
    /// Whether the client speaks TLS with this server.
    package var isTLS = false
    /// Scheme, host and port that the operator says clients reach the store at; nil where nobody
    /// said.
    package var statedOrigin: String?

    package init(
        method: String, path: String, query: [(name: String, value: String)] = [],
        headers: HTTPHeaders = [:], body: Data = Data(), parameters: [String] = [],
        peer: String? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.parameters = parameters
        self.peer = peer.flatMap { IPAddress($0) }
    }

    /// All of the body, wherever it is: what is on disk is mapped into memory, and not read.
    package func wholeBody() throws -> Data { try bodyFile?.mapped() ?? body }

    /// Reads the body from its beginning, wherever it is: each call gives the next bytes, none
    /// at the end.
    package func bodyPieces() -> () throws -> [UInt8] {
        var offset = 0
        return { [body, bodyFile] in
            let piece =
                try bodyFile?.read(at: UInt64(offset), upTo: 1 << 16)
                ?? Array(body.dropFirst(offset).prefix(1 << 16))
            offset += piece.count
            return piece
        }
    }
}

/// An answer.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case data(Data)
        /// Sent with `sendfile` where the connection allows it.
        case file(FileSlice)
    }

    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body

    package init(status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = .data(body)
    }

    package init(status: Int, headers: HTTPHeaders = [:], file: FileSlice) {
        self.status = status
        self.headers = headers
        self.body = .file(file)
    }

    /// Plain text that no browser takes for anything else.
    ///
    /// - Parameters:
    ///   - text: without its last line break.
    ///   - more: further header fields; nobody keeps the answer, unless one of them says so.
    package static func plainText(
        _ text: String, status: Int = 200, _ more: KeyValuePairs<String, String> = [:]
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [
            "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        ]
        for (name, value) in more { headers[name] = value }
        return HTTPResponse(status: status, headers: headers, body: Data((text + "\n").utf8))
    }

    /// The same answer, as one that asks for the request again in a second where that helps.
    package func unavailable(if isPassing: Bool) -> HTTPResponse {
        guard isPassing else { return self }
        var response = self
        response.status = 503
        response.headers["Retry-After"] = "1"
        return response
    }
}

/// What a handler gives back: the answer, or the way to it where it has to wait.
package enum HTTPOutcome: Sendable {
    case now(HTTPResponse)
    case later(@Sendable () async -> HTTPResponse)
}
