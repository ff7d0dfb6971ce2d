/// What a `Range` header asks for (RFC 9110, section 14).
package enum ByteRange: Hashable, Sendable {
    /// No range, one in an unknown unit, or several: the whole is sent.
    case whole
    /// Bytes from the first, up to and without the second.
    case part(Range<UInt64>)
    /// Nothing of it lies within the file: status 416.
    case unsatisfiable

    /// The same, no longer than a window: an answer may have less than was asked for, and says
    /// so (RFC 9110, section 15.3.7). Players ask for the rest when they need it.
    package func within(_ window: UInt64?) -> ByteRange {
        guard case .part(let range) = self, let window,
            range.upperBound - range.lowerBound > window
        else { return self }
        return .part(range.lowerBound..<range.lowerBound + window)
    }

    /// - Parameter length: the size of the whole in bytes.
    package init(header: String?, length: UInt64) {
        self = .whole
        guard let header, header.lowercased().utf8.starts(with: "bytes=".utf8) else { return }
        let ends = header.utf8.dropFirst(6)
            .split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, !header.utf8.contains(UInt8(ascii: ",")) else { return }
        let (first, last) = (Substring(ends[0]).trimmed, Substring(ends[1]).trimmed)
        switch (first.isEmpty, last.isEmpty) {
        case (true, true):
            return
        case (true, false):
            guard let count = UInt64(digits: last) else { return }
            guard count > 0, length > 0 else {
                self = .unsatisfiable
                return
            }
            self = .part((length - min(count, length))..<length)
        case (false, let isOpen):
            guard let start = UInt64(digits: first) else { return }
            var end = length
            if !isOpen {
                guard let stated = UInt64(digits: last), stated >= start else { return }
                end = min(length, stated == .max ? .max : stated + 1)
            }
            self = start < length ? .part(start..<end) : .unsatisfiable
        }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        drop { $0 == " " || $0 == "\t" }
    }
}

extension UInt64 {
    /// Only ASCII digits: `UInt64("+1")` would be taken too.
    fileprivate init?(digits: Substring) {
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.init(digits)
    }
}
