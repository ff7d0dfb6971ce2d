import Foundation

/// Reads a document that has a long list in it, one element of the list at a time: neither the
/// document nor the list is in memory whole.
///
/// ```swift
/// var reader = JSONListReader(list: "changes", depth: 3) { try file.read(upToCount: 1 << 16) }
/// while let change = try reader.next() { show(change) }
/// let document = try reader.rest()
/// ```
package struct JSONListReader {
    private let list: [UInt8]
    private let depth: Int
    private let read: () throws -> Data?
    private var piece: [UInt8] = []
    private var position = 0
    private var isText = false
    private var isEscaped = false
    /// How many objects and lists are open.
    private var level = 0
    private var isInList = false
    /// The last text on the list's own level: its name, where a bracket follows.
    private var name: [UInt8] = []
    private var element: [UInt8] = []
    /// The document without the list's elements.
    private var outer: [UInt8] = []

    /// - Parameters:
    ///   - list: the name of the list.
    ///   - depth: how many objects the list lies in.
    ///   - read: gives the next bytes; none, or nil, at the end.
    package init(list: String, depth: Int, read: @escaping () throws -> Data?) {
        self.list = Array(list.utf8)
        self.depth = depth
        self.read = read
    }

    /// The next element; nil at the end of the document.
    ///
    /// - Throws: `WireFormatError` for an element that is no JSON, what `read` throws.
    package mutating func next() throws -> JSONValue? {
        while let byte = try take() {
            let wasText = isText
            track(byte)
            if isInList {
                if try isElementEnd(byte, wasText: wasText), let value = try flush() {
                    return value
                }
            } else {
                outer.append(byte)
                follow(byte, wasText: wasText)
            }
        }
        return nil
    }

    /// The document with an empty list, once `next` has come to its end.
    ///
    /// - Throws: `WireFormatError` where it is no JSON.
    package func rest() throws -> JSONValue {
        try JSONValue(reading: Data(outer))
    }

    private mutating func take() throws -> UInt8? {
        if position == piece.count {
            piece = try read().map { Array($0) } ?? []
            position = 0
        }
        guard position < piece.count else { return nil }
        defer { position += 1 }
        return piece[position]
    }

    /// Knows where texts begin and end.
    private mutating func track(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\"") {
            isText.toggle()
        } else if isText, byte == UInt8(ascii: "\\") {
            isEscaped = true
        }
    }

    /// A byte outside of the list.
    private mutating func follow(_ byte: UInt8, wasText: Bool) {
        switch (byte, wasText, isText) {
        case (_, false, true): name = []
        case (_, true, true): if level == depth { name.append(byte) }
        case (UInt8(ascii: "["), false, false):
            level += 1
            isInList = level == depth + 1 && name == list
        case (UInt8(ascii: "{"), false, false): level += 1
        case (UInt8(ascii: "]"), false, false), (UInt8(ascii: "}"), false, false): level -= 1
        default: break
        }
    }

    /// Whether a byte inside of the list ends an element; all others belong to one.
    private mutating func isElementEnd(_ byte: UInt8, wasText: Bool) throws -> Bool {
        if !wasText, !isText {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): level += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                level -= 1
                if level == depth {
                    isInList = false
                    outer.append(byte)
                    return true
                }
            case UInt8(ascii: ",") where level == depth + 1: return true
            default: break
            }
        }
        element.append(byte)
        return false
    }

    /// The element that has ended; nil for none.
    private mutating func flush() throws -> JSONValue? {
        defer { element.removeAll(keepingCapacity: true) }
        let isEmpty = element.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        // In a conditional expression, nil would be the null of JSON.
        guard !isEmpty else { return .none }
        return try JSONValue(reading: Data(element))
    }
}
