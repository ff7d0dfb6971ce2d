/// The body of an answer that says no: its two members, and nothing else.
struct ServerAPIError: Error, Sendable, Hashable {
    let code: ServerErrorCode
    /// One sentence for who writes the client: what exactly is wrong. It goes into a header.
    let detail: String?

    init(_ code: ServerErrorCode, _ detail: String? = nil) {
        self.code = code
        self.detail = detail
    }
}

extension ServerAPIError: Codable {
    private enum CodingKeys: String, CodingKey {
        case errorCode
        case errorMessage
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try container.decode(ServerErrorCode.self, forKey: .errorCode))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .errorCode)
        try container.encode(code.sentence, forKey: .errorMessage)
    }
}
