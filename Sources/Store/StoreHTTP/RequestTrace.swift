import Foundation
import Synchronization

/// What goes along with a request from its header to the end of its answer: the identifier by
/// which log, client and proxy speak of it, and the route that took it.
package final class RequestTrace: Sendable {
    /// The request that the current task, or thread, works for; nil for none.
    @TaskLocal package static var current: RequestTrace?

    /// A UUID of random bits, or what a trusted proxy has called the request.
    package let id: String
    private let number = Atomic(-1)

    package init(id: String) {
        self.id = id
    }

    /// The number of the route in the router; nil where none took the request.
    package var route: Int? {
        let number = number.load(ordering: .relaxed)
        return number < 0 ? nil : number
    }

    func took(_ route: Int) {
        number.store(route, ordering: .relaxed)
    }

    /// Whether an identifier that came from outside can stand in logs and header fields: at most 64
    /// letters and digits of ASCII, dots, hyphens and low lines.
    static func isPlain(_ id: UnsafePointer<CChar>) -> Bool {
        var length = 0
        while id[length] != 0 {
            switch UInt8(bitPattern: id[length]) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                length += 1
            default: return false
            }
            guard length <= 64 else { return false }
        }
        return length > 0
    }
}

/// Makes identifiers of requests.
///
/// Random bits are had from the system for many at a time: a call for each would cost more than
/// the rest.
final class RequestIDs: Sendable {
    private struct Bits {
        var words = [UInt64](repeating: 0, count: 128)
        var left = 0
    }

    private static let digits = Array("0123456789abcdef".utf8)
    private let bits = Mutex(Bits())

    /// A fresh UUID of version 4 (RFC 9562), in small letters.
    func make() -> String {
        var (high, low) = bits.withLock { bits in
            if bits.left == 0 {
                bits.words.withUnsafeMutableBytes { arc4random_buf($0.baseAddress!, $0.count) }
                bits.left = bits.words.count
            }
            bits.left -= 2
            return (bits.words[bits.left], bits.words[bits.left + 1])
        }
        high = high & ~0xF000 | 0x4000
        low = low & (.max >> 2) | 1 << 63
        return String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for index in 0..<32 {
                if [8, 12, 16, 20].contains(index) {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                let word = index < 16 ? high : low
                text[place] = Self.digits[Int(word >> UInt64(60 - index % 16 * 4) & 15)]
                place += 1
            }
            return place
        }
    }
}
