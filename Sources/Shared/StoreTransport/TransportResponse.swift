import Foundation

/// What a server answered.
package struct TransportResponse: Sendable {
    /// Where it came from: the request's URL, or where redirections led.
    package let url: String
    package let status: Int
    private let header: ResponseHeader.Fields
    /// Empty where a sink got it.
    package var body = Data()

    init(url: String, status: Int, header: ResponseHeader.Fields) {
        self.url = url
        self.status = status
        self.header = header
    }

    /// The value of a field, whatever letters its name is written with; those of several with one
    /// name are joined by commas. `nil` if there is none.
    package subscript(name: String) -> String? { header[name.lowercased()]?.value }

    /// All fields, by their names as they came.
    package var fields: [String: String] {
        Dictionary(header.values.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

/// The lines before a response's body.
package struct ResponseHeader {
    /// By names in lowercase.
    package typealias Fields = [String: (name: String, value: String)]

    /// More fields than any honest server sends are left out.
    private static let fieldLimit = 200

    private let limit: Int
    private var length = 0
    private var status = 0
    private var fields: Fields = [:]
    /// Behind it come only the trailers of a body, which change nothing.
    private var isComplete = false

    /// - Parameter limit: bytes of all lines, those of interim responses included.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Takes a line as it came. One that is no field is ignored.
    ///
    /// - Returns: false if the header is longer than its limit.
    package mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        length += line.count
        guard length <= limit else { return false }
        if !isComplete { add(line) }
        return true
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) {
        let text = Self.trimmed(line[...])
        if text.starts(with: "HTTP/".utf8) {
            // Another one follows an interim response.
            fields = [:]
            status = Self.status(in: text)
        } else if text.isEmpty {
            isComplete = status >= 200
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: text[..<colon], as: UTF8.self)
            let value = String(decoding: Self.trimmed(text[(colon + 1)...]), as: UTF8.self)
            let key = name.lowercased()
            if fields[key] != nil {
                fields[key]?.value.append(", \(value)")
            } else if fields.count < Self.fieldLimit {
                fields[key] = (name, value)
            }
        }
    }

    /// Three digits behind the version; 0 where there is something else.
    private static func status(in line: Slice<UnsafeRawBufferPointer>) -> Int {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count > 1, words[1].count == 3 else { return 0 }
        return words[1].reduce(0) { status, digit in
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return -1000 }
            return status * 10 + Int(digit - UInt8(ascii: "0"))
        }
    }

    private static func trimmed(
        _ bytes: Slice<UnsafeRawBufferPointer>
    ) -> Slice<UnsafeRawBufferPointer> {
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }),
            let end = bytes.lastIndex(where: { $0 > 0x20 })
        else { return bytes.prefix(0) }
        return bytes[start...end]
    }

    /// - Returns: `nil` if there was no status line that is one.
    package func response(from url: String) -> TransportResponse? {
        guard (100...999).contains(status) else { return nil }
        return TransportResponse(url: url, status: status, header: fields)
    }
}
