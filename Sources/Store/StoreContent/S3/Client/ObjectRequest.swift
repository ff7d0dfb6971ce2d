import Foundation
import StoreModel
import StoreTransport

/// A request to an object store.
struct ObjectRequest {
    let method: String
    /// With the prefix; empty for the bucket.
    let key: String
    var query: [(String, String)] = []
    /// Names in small letters.
    var headers: [(String, String)] = []
    var body = TransportBody.none
    /// SHA-256 of the body, hexadecimal.
    var payload = RequestSignature.empty
    /// Beside those of success, the statuses that are no failure.
    var expected: Set<Int> = []
    /// Whether it is of no use later: it ends after a few seconds, whatever happens.
    var isUrgent = false
    /// Whether the object store moves all of an object before it answers, which takes minutes.
    var isSlow = false
    /// The first byte of the part that is wanted; nil for the whole.
    var firstByte: UInt64?
    /// Hears of an answer with what is wanted, before its first byte.
    var began: ((ObjectAnswer) throws -> Void)?
    /// Gets the body of an answer with what is wanted; nil to have it in memory.
    var sink: ((UnsafeRawBufferPointer) throws -> Void)?

    init(_ method: String, _ key: String) {
        self.method = method
        self.key = key
    }

    /// How long it may take; its body is bounded where it is read.
    var limits: TransportLimits {
        var limits = TransportLimits()
        limits.connectTimeout = .seconds(isUrgent ? 3 : 10)
        limits.idleTimeout = .seconds(isSlow ? 600 : 60)
        limits.deadline = isUrgent ? .seconds(5) : nil
        limits.bodySize = nil
        return limits
    }

    /// Whether the bytes of an answer are those that were asked for.
    func isAnswered(by answer: ObjectAnswer) -> Bool {
        guard let firstByte else { return answer.status == 200 }
        return answer.status == 206
            && answer.headers["content-range"]?.hasPrefix(scalars: "bytes \(firstByte)-") == true
    }
}

struct ObjectAnswer {
    var status = 0
    /// Names in small letters.
    var headers: [String: String] = [:]
    var body = Data()

    init(status: Int = 0, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(_ response: TransportResponse) {
        self.init(
            status: response.status,
            headers: Dictionary(response.fields.map { ($0.key.lowercased(), $0.value) }) { $1 })
    }

    /// Bytes of the object; nil where they are not told, or more than any file can have.
    var length: UInt64? {
        let told =
            status == 206
            ? headers["content-range"]?.split(scalar: "/").last.map(String.init)
            : headers["content-length"]
        return told.flatMap { UInt64($0) }.flatMap { $0 <= UInt64(Int64.max) ? $0 : nil }
    }

    /// Whether the object store itself says that there is no such object, or upload in parts:
    /// a bucket that is gone, or somebody else on the way, answers 404 as well.
    var saysMissing: Bool {
        guard status == 404, let markup = try? ObjectMarkup(body), markup.root == "Error" else {
            return false
        }
        return ["NoSuchKey", "NoSuchUpload"].contains(markup.fields["Code"])
    }
}
