import Foundation

/// Where a line of a file lies.
struct LineLocation: Sendable, Hashable {
    /// From 1 on.
    let number: Int
    let offset: Int64
    let length: Int
}

/// Reads a file line by line, in pieces, and single lines of it again.
final class LineReader {
    let size: Int64
    /// Bytes that `next` has gone over.
    private(set) var position: Int64 = 0
    private let handle: FileHandle
    private let longest: Int
    private var number = 0
    private var buffer = Data()
    /// What of the buffer was given out.
    private var start = 0
    private var isAtEnd = false

    /// - Parameter longest: lines with more bytes are passed over.
    init(_ file: URL, longest: Int) throws {
        handle = try FileHandle(forReadingFrom: file)
        size = Int64(try handle.seekToEnd())
        try handle.seek(toOffset: 0)
        self.longest = longest
    }

    deinit { try? handle.close() }

    /// The next line that is not empty; without data where it is too long. Nil at the end.
    func next() throws -> (place: LineLocation, data: Data?)? {
        while let line = try rawLine() {
            number += 1
            let place = LineLocation(
                number: number, offset: position, length: line.data?.count ?? line.length)
            position += Int64(line.length)
            guard let data = line.data else { return (place, nil) }
            let isBlank = data.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
            if !isBlank { return (place, data) }
        }
        return nil
    }

    /// A line that was read before.
    func line(at place: LineLocation) throws -> Data {
        try handle.seek(toOffset: UInt64(place.offset))
        return try handle.read(upToCount: place.length) ?? Data()
    }

    /// A line without its end, and its length with it; without data where it is too long.
    private func rawLine() throws -> (data: Data?, length: Int)? {
        var searched = start
        while true {
            if let end = endOfLine(from: searched) {
                let data = Data(buffer[start..<end])
                let length = end - start + 1
                start = end + 1
                return (data.count > longest ? nil : data, length)
            }
            if isAtEnd {
                guard start < buffer.count else { return nil }
                let data = Data(buffer[start...])
                start = buffer.count
                return (data.count > longest ? nil : data, data.count)
            }
            if buffer.count - start > longest { return (nil, try skip()) }
            searched = buffer.count - start
            try fill()
        }
    }

    /// Where in the buffer the next line feed is.
    private func endOfLine(from index: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = memchr(base + index, 0x0A, bytes.count - index)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private func fill() throws {
        buffer = Data(buffer[start...])
        start = 0
        let more = try handle.read(upToCount: 1 << 18) ?? Data()
        if more.isEmpty { isAtEnd = true }
        buffer.append(more)
    }

    /// Passes over the rest of a line.
    private func skip() throws -> Int {
        var length = 0
        while true {
            if let end = endOfLine(from: start) {
                length += end - start + 1
                start = end + 1
                return length
            }
            length += buffer.count - start
            start = buffer.count
            if isAtEnd { return length }
            try fill()
        }
    }
}
