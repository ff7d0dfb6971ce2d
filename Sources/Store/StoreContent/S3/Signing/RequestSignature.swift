import Foundation
import StoreModel
import StoreSecurity

/// Signature version 4 of Amazon's services, as S3 has it: paths are encoded once.
///
/// One canonical form serves headers and signed addresses. libcurl can sign headers too, but
/// neither addresses nor for another time than the machine's; see Decisions.
struct RequestSignature: Sendable {
    /// Stands for the digest of bytes that the signature does not cover.
    static let unsigned = "UNSIGNED-PAYLOAD"
    /// SHA-256 of no bytes.
    static let empty = SHA256Digest.hex(Data())
    private static let algorithm = "AWS4-HMAC-SHA256"

    let credentials: ObjectCredentials
    let region: String

    /// The headers of a request, with those that sign it.
    ///
    /// - Parameters:
    ///   - path: encoded, beginning with a slash.
    ///   - headers: sent and signed; names in small letters, without `host`.
    ///   - payload: SHA-256 of the body, hexadecimal.
    func headers(
        _ method: String, host: String, path: String, query: [(String, String)] = [],
        headers: [(String, String)] = [], payload: String, at date: Date
    ) -> [(String, String)] {
        let stamp = Self.stamp(date)
        var sent = headers + [("x-amz-content-sha256", payload), ("x-amz-date", stamp)]
        if let token = credentials.sessionToken { sent.append(("x-amz-security-token", token)) }
        let signed = sent + [("host", host)]
        let signature = signature(
            method, path: path, query: Self.encoded(query), headers: signed, payload: payload,
            stamp: stamp)
        let authorization =
            "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope(stamp)), "
            + "SignedHeaders=\(Self.names(signed)), Signature=\(signature)"
        return sent + [("authorization", authorization)]
    }

    /// The query of an address that is good for some time without any header.
    ///
    /// - Parameter lifetime: seconds, a week at most.
    func query(
        _ method: String, host: String, path: String, query: [(String, String)] = [],
        lifetime: Int, at date: Date
    ) -> String {
        let stamp = Self.stamp(date)
        var query =
            query + [
                ("X-Amz-Algorithm", Self.algorithm),
                ("X-Amz-Credential", "\(credentials.accessKey)/\(scope(stamp))"),
                ("X-Amz-Date", stamp), ("X-Amz-Expires", String(lifetime)),
                ("X-Amz-SignedHeaders", "host"),
            ]
        if let token = credentials.sessionToken {
            query.append(("X-Amz-Security-Token", token))
        }
        let encoded = Self.encoded(query)
        let signature = signature(
            method, path: path, query: encoded, headers: [("host", host)],
            payload: Self.unsigned, stamp: stamp)
        return "\(encoded)&X-Amz-Signature=\(signature)"
    }

    private func signature(
        _ method: String, path: String, query: String, headers: [(String, String)],
        payload: String, stamp: String
    ) -> String {
        let lines = headers.sorted { $0.0 < $1.0 }.map { "\($0.0):\(Self.trimmed($0.1))\n" }
        let canonical = """
            \(method)
            \(path)
            \(query)
            \(lines.joined())
            \(Self.names(headers))
            \(payload)
            """
        let statement = """
            \(Self.algorithm)
            \(stamp)
            \(scope(stamp))
            \(SHA256Digest.hex(Data(canonical.utf8)))
            """
        var key = Data("AWS4\(credentials.secret)".utf8)
        for part in [String(stamp.prefix(8)), region, "s3", "aws4_request"] {
            key = MessageCode.of(Data(part.utf8), key: key)
        }
        return SHA256Digest.hexadecimal(MessageCode.of(Data(statement.utf8), key: key))
    }

    private func scope(_ stamp: String) -> String {
        "\(stamp.prefix(8))/\(region)/s3/aws4_request"
    }

    private static func names(_ headers: [(String, String)]) -> String {
        headers.map(\.0).sorted().joined(separator: ";")
    }

    private static func trimmed(_ value: String) -> String {
        value.split(scalar: " ").joined(separator: " ")
    }

    /// A query as it is signed and sent: encoded, then in order.
    static func encoded(_ query: [(String, String)]) -> String {
        query.map { (encode($0.0), encode($0.1)) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// Everything but the unreserved characters of RFC 3986 as `%XX`.
    static func encode(_ text: String, keepsSlashes: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.append(byte)
            case UInt8(ascii: "/") where keepsSlashes: result.append(byte)
            default:
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A moment as `20130524T000000Z`.
    static func stamp(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 20)
        let count = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
