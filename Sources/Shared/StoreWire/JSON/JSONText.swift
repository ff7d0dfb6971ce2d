import Foundation
import StoreKernel

/// Writes a JSON object from its beginning to its end, for answers and signed payloads that are made often.
/// Members come in the order of the calls.
///
/// ```swift
/// var text = JSONText()
/// text.member("status", integer: 0)
/// text.object("receipt") { $0.member("bundle_id", "com.example.app") }
/// let body = text.finished()
/// ```
package struct JSONText {
    private var bytes: [UInt8]
    /// Whether the next member is the first one of its object, or element of its list.
    private var isFirst = true

    /// - Parameter capacity: so many bytes are expected.
    package init(capacity: Int = 1024) {
        bytes = []
        bytes.reserveCapacity(capacity)
        bytes.append(UInt8(ascii: "{"))
    }

    /// The whole object; nothing is written afterwards.
    package consuming func finished() -> Data {
        bytes.append(UInt8(ascii: "}"))
        return Data(bytes)
    }

    // MARK: Members

    /// Adds a member; nothing where there is no value.
    package mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        begin(name)
        JSONString.write(text, to: &bytes)
    }

    package mutating func member(_ name: StaticString, integer: (some BinaryInteger)?) {
        guard let integer else { return }
        begin(name)
        bytes.append(contentsOf: String(integer).utf8)
    }

    package mutating func member(_ name: StaticString, flag: Bool?) {
        guard let flag else { return }
        begin(name)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Bytes as base64.
    package mutating func member(_ name: StaticString, base64 data: Data) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: data.base64EncodedData())
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func object(_ name: StaticString, _ write: (inout JSONText) -> Void) {
        begin(name)
        nest(UInt8(ascii: "{"), UInt8(ascii: "}"), write)
    }

    /// A list of objects.
    package mutating func objects<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>,
        _ write: (inout JSONText, Element) -> Void
    ) {
        begin(name)
        nest(UInt8(ascii: "["), UInt8(ascii: "]")) { list in
            for element in elements {
                list.separate()
                list.nest(UInt8(ascii: "{"), UInt8(ascii: "}")) { write(&$0, element) }
            }
        }
    }

    // MARK: Parts

    private mutating func begin(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        // Names are the program's own, and have nothing to escape.
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    private mutating func nest(
        _ opening: UInt8, _ closing: UInt8, _ write: (inout JSONText) -> Void
    ) {
        bytes.append(opening)
        isFirst = true
        write(&self)
        isFirst = false
        bytes.append(closing)
    }
}
