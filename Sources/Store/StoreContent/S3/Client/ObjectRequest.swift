import Foundation

/// A request to an object store.
struct ObjectRequest {
    enum Body {
        case none
        case data(Data)
        /// A part of an open file.
        case file(Int32, Range<Int64>)

        var length: Int64 {
            switch self {
            case .none: 0
            case .data(let data): Int64(data.count)
            case .file(_, let range): Int64(range.count)
            }
        }
    }

    let method: String
    /// With the prefix; empty for the bucket.
    let key: String
    var query: [(String, String)] = []
    /// Names in small letters.
    var headers: [(String, String)] = []
    var body = Body.none
    /// SHA-256 of the body, hexadecimal.
    var payload = RequestSignature.empty
    /// Beside those of success, the statuses that are no failure.
    var expected: Set<Int> = []
    /// Whether somebody holds a lock meanwhile: it ends after a few seconds, whatever happens.
    var isUrgent = false
    /// The first byte of the part that is wanted; nil for the whole.
    var firstByte: UInt64?
    /// Gets the body of an answer with what is wanted; nil to have it in memory.
    var sink: ((UnsafeRawBufferPointer) throws -> Void)?

    init(_ method: String, _ key: String) {
        self.method = method
        self.key = key
    }
}

struct ObjectAnswer {
    var status = 0
    /// Names in small letters.
    var headers: [String: String] = [:]
    var body = Data()

    /// Bytes of the object.
    var length: UInt64? { headers["content-length"].flatMap { UInt64($0) } }
}
