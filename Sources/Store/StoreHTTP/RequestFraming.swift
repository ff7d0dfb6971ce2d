import CStoreHTTP
import Foundation

/// What is wrong with the form of a request, so that another reader of it, such as a proxy, could
/// see another request, or a second one, in the same bytes (RFC 9112, section 11.2).
package enum MalformedRequest: String, Sendable, CaseIterable {
    case nullInAddress = "The address has %00, which nothing here has."
    case fieldName = "The name of a header field has blanks, or others that no name has."
    case fieldValue = "A header field has a control character, or goes on in a second line."
    case twoLengths = "The request has two Content-Length; send one."
    case length = "Content-Length is not a number of bytes in decimal digits."
    case lengthAndEncoding = "The request has Content-Length and Transfer-Encoding; send one."
    case twoEncodings = "The request has two Transfer-Encoding; send one."
    case encoding = "Transfer-Encoding is not chunked, the only one that is taken."
    case encodingOfOldVersion = "HTTP/1.0 has no Transfer-Encoding; send Content-Length."
    case twoHosts = "The request has two Host; send one."
    case noHost = "The request has no Host; send one."

    /// What is wrong, and what to do.
    package var sentence: String { rawValue }
}

/// Against request smuggling: looks at the header fields that say where a request ends, and whose it is.
///
/// libmicrohttpd takes the first of two, prefers `Transfer-Encoding`, and hands fields on as they
/// stand, so that this is to be asked before anything of a request is used. Its strict mode looks for
/// `Host` alone, and drops addresses with blanks, which there are clients for.
struct RequestFraming {
    private var lengths = 0
    private var encodings = 0
    private var hosts = 0
    private var found: MalformedRequest?

    /// - Parameter version: as the request line has it.
    static func problem(of connection: OpaquePointer, version: String) -> MalformedRequest? {
        var framing = RequestFraming()
        withUnsafeMutablePointer(to: &framing) { pointer in
            _ = MHD_get_connection_values(
                connection, cstore_http_header,
                { context, _, name, value in
                    guard let context, let name else { return cstore_http_no }
                    let framing = context.assumingMemoryBound(to: RequestFraming.self)
                    framing.pointee.look(name, value)
                    return framing.pointee.found == nil ? cstore_http_yes : cstore_http_no
                }, pointer)
        }
        return framing.result(version: version)
    }

    private func result(version: String) -> MalformedRequest? {
        if let found { return found }
        if lengths > 0, encodings > 0 { return .lengthAndEncoding }
        let isOld = version == "HTTP/1.0"
        if encodings > 0, isOld { return .encodingOfOldVersion }
        if hosts == 0, !isOld { return .noHost }
        return nil
    }

    private mutating func look(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?) {
        if !Self.isToken(name) {
            found = .fieldName
        } else if let value, value < name {
            // libmicrohttpd 0.9.75 joins a second line to the name, which it moves behind everything
            // that it has read; fields of one line have their value behind the name.
            found = .fieldValue
        } else if let value, !Self.isPlain(value) {
            found = .fieldValue
        } else if strcasecmp(name, "Content-Length") == 0 {
            lengths += 1
            if lengths > 1 { found = .twoLengths }
            if !Self.isNumber(value) { found = .length }
        } else if strcasecmp(name, "Transfer-Encoding") == 0 {
            encodings += 1
            if encodings > 1 { found = .twoEncodings }
            if value.map({ strcasecmp($0, "chunked") != 0 }) ?? true { found = .encoding }
        } else if strcasecmp(name, "Host") == 0 {
            hosts += 1
            if hosts > 1 { found = .twoHosts }
        }
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ name: UnsafePointer<CChar>) -> Bool {
        var index = 0
        while name[index] != 0 {
            switch UInt8(bitPattern: name[index]) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"),
                UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"),
                UInt8(ascii: "|"), UInt8(ascii: "~"):
                index += 1
            default: return false
            }
        }
        return index > 0
    }

    /// Text of one line; letters beyond ASCII come as they are.
    private static func isPlain(_ value: UnsafePointer<CChar>) -> Bool {
        var index = 0
        while value[index] != 0 {
            let byte = UInt8(bitPattern: value[index])
            guard byte == UInt8(ascii: "\t") || byte >= 0x20 && byte != 0x7F else { return false }
            index += 1
        }
        return true
    }

    /// Digits alone, of a number that fits into 63 bits.
    private static func isNumber(_ value: UnsafePointer<CChar>?) -> Bool {
        guard let value else { return false }
        var index = 0
        while value[index] != 0 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(UInt8(bitPattern: value[index]))
            else { return false }
            index += 1
        }
        return (1...19).contains(index) && Int(String(cString: value)) != nil
    }
}
