import Foundation

/// An open file as an answer: the whole, a range of it, or that the client has it already.
///
/// ```swift
/// FileAnswer(
///     descriptor: content.descriptor, length: content.length, mediaType: "audio/ogg",
///     entityTag: "\"\(digest)\"", cacheControl: "public, max-age=31536000, immutable"
/// ).response(to: request)
/// ```
package struct FileAnswer: Sendable {
    package var descriptor: Int32
    /// Bytes.
    package var length: UInt64
    package var mediaType: String
    /// With its quotes.
    package var entityTag: String
    package var cacheControl: String
    /// When it got the bytes that it has; nil for what is not told.
    package var modified: Date?
    /// The name under which a browser saves it instead of showing it; nil to show it.
    package var attachmentName: String?
    /// Which byte of the whole the descriptor begins with; what comes before is not there.
    package var origin: UInt64
    /// So many bytes of a range are sent at most; nil for all.
    package var window: UInt64?

    /// - Parameter descriptor: open for reading; belongs to the answer from now on.
    package init(
        descriptor: Int32, length: UInt64, mediaType: String, entityTag: String,
        cacheControl: String, modified: Date? = nil, attachmentName: String? = nil,
        origin: UInt64 = 0, window: UInt64? = nil
    ) {
        self.descriptor = descriptor
        self.length = length
        self.mediaType = mediaType
        self.entityTag = entityTag
        self.cacheControl = cacheControl
        self.modified = modified
        self.attachmentName = attachmentName
        self.origin = origin
        self.window = window
    }

    /// The bytes that the answer to a request sends, for who fetches them before.
    ///
    /// - Parameters:
    ///   - length: bytes of the whole.
    ///   - window: as the answer has it.
    package static func wanted(
        by request: HTTPRequest, entityTag: String, length: UInt64, window: UInt64? = nil
    ) -> Range<UInt64> {
        if request.method == "HEAD" { return 0..<0 }
        if let known = request.headers["If-None-Match"], names(known, entityTag) { return 0..<0 }
        let isSame = request.headers["If-Range"].map { $0 == entityTag } ?? true
        let header = isSame ? request.headers["Range"] : nil
        return switch ByteRange(header: header, length: length).within(window) {
        case .whole: 0..<length
        case .part(let range): range
        case .unsatisfiable: 0..<0
        }
    }

    /// The answer; call it once.
    package func response(to request: HTTPRequest) -> HTTPResponse {
        // Closes the descriptor where it isn't sent.
        let whole = FileSlice(descriptor: descriptor, offset: 0, length: length)
        var headers: HTTPHeaders = [
            "Accept-Ranges": "bytes", "Cache-Control": cacheControl, "ETag": entityTag,
            "X-Content-Type-Options": "nosniff",
            // What others made runs nothing, also where a browser shows it as a page.
            "Content-Security-Policy":
                "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; "
                + "sandbox",
        ]
        headers["Last-Modified"] = modified.map(Self.date)
        if let known = request.headers["If-None-Match"], Self.names(known, entityTag) {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers["Content-Type"] = mediaType
        if let attachmentName {
            headers["Content-Disposition"] = Self.disposition(attachmentName)
        }
        // A range of something else than what the client has is of no use to it.
        let isSame =
            request.headers["If-Range"].map { $0 == entityTag || $0 == headers["Last-Modified"] }
            ?? true
        let range = isSame ? request.headers["Range"] : nil
        switch ByteRange(header: range, length: length).within(window) {
        case .whole:
            return HTTPResponse(status: 200, headers: headers, file: whole)
        case .part(let range):
            headers["Content-Range"] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
            guard let descriptor = whole.take() else { return HTTPResponse(status: 500) }
            return HTTPResponse(
                status: 206, headers: headers,
                file: FileSlice(
                    descriptor: descriptor,
                    offset: range.lowerBound - min(origin, range.lowerBound),
                    length: range.upperBound - range.lowerBound))
        case .unsatisfiable:
            headers["Content-Range"] = "bytes */\(length)"
            headers["Content-Type"] = "text/plain; charset=utf-8"
            headers["Content-Disposition"] = nil
            headers["Cache-Control"] = "no-store"
            headers["ETag"] = nil
            headers["Last-Modified"] = nil
            return HTTPResponse(
                status: 416, headers: headers,
                body: Data("The file has \(length) bytes; the range lies outside.\n".utf8))
        }
    }

    /// A moment as HTTP writes it (RFC 9110, section 5.6.7).
    private static func date(_ date: Date) -> String {
        // Made where it is used: formatters can't be shared between threads.
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }

    /// Whether a list of tags has one, or stands for all (RFC 9110, section 13.1.2).
    package static func names(_ list: String, _ tag: String) -> Bool {
        list.utf8.split(separator: UInt8(ascii: ",")).contains { bytes in
            var part = Substring(bytes).drop { $0 == " " || $0 == "\t" }
            while part.last == " " || part.last == "\t" { part.removeLast() }
            if part.utf8.starts(with: "W/".utf8) { part.unicodeScalars.removeFirst(2) }
            return part == tag || part == "*"
        }
    }

    /// The name in both spellings of RFC 6266: with low lines for who knows ASCII only, and
    /// as it is.
    package static func disposition(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar in
                let isPlain =
                    scalar.isASCII && scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
                    && scalar != "%" && scalar.value != 0x7F
                return isPlain ? Character(scalar) : "_"
            })
        let digits = Array("0123456789ABCDEF")
        let encoded = name.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }.joined()
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"
    }
}
