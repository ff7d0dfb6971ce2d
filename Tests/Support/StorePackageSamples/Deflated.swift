import CStoreZlib
import Foundation

/// Bytes compressed with zlib, also such as take gigabytes when they are unpacked.
package enum Deflated {
    package static func zlib(_ bytes: Data) -> Data {
        repeating(Data(), times: 0, between: bytes, and: Data(), form: .zlib).bytes
    }

    package static func gzip(_ bytes: Data) -> Data {
        repeating(Data(), times: 0, between: bytes, and: Data(), form: .gzip).bytes
    }

    package enum Form {
        case zlib
        case gzip
    }

    /// `start`, `block` so many times, and `end`, without ever having all of it: each block
    /// is compressed by itself, and its compressed bytes are repeated.
    package static func repeating(
        _ block: Data, times: Int, between start: Data, and end: Data, form: Form
    ) -> (bytes: Data, length: Int) {
        var stream = z_stream()
        let begun = deflateInit2_(
            &stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(begun == Z_OK, "zlib can't be started")
        defer { deflateEnd(&stream) }
        let head = part(start, Z_FULL_FLUSH, &stream)
        let middle = part(block, Z_FULL_FLUSH, &stream)
        let tail = part(end, Z_FINISH, &stream)
        var bytes =
            form == .zlib ? Data([0x78, 0x01]) : Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
        bytes += head
        bytes.reserveCapacity(bytes.count + middle.count * times + tail.count + 8)
        for _ in 0..<times { bytes += middle }
        bytes += tail
        let length = start.count + block.count * times + end.count
        if form == .zlib {
            let sum = checksum(of: block, times, start, end, 1, adler32, adler32_combine)
            withUnsafeBytes(of: UInt32(sum).bigEndian) { bytes.append(contentsOf: $0) }
        } else {
            let sum = checksum(of: block, times, start, end, 0, crc32, crc32_combine)
            withUnsafeBytes(of: UInt32(sum).littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian) {
                bytes.append(contentsOf: $0)
            }
        }
        return (bytes, length)
    }

    private static func part(_ bytes: Data, _ flush: Int32, _ stream: inout z_stream) -> Data {
        var output = Data(count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
        var input = [UInt8](bytes)
        let made = output.withUnsafeMutableBytes { output in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(output.count)
                deflate(&stream, flush)
                return output.count - Int(stream.avail_out)
            }
        }
        return output.prefix(made)
    }

    private static func checksum(
        of block: Data, _ times: Int, _ start: Data, _ end: Data, _ initial: UInt,
        _ sum: (UInt, UnsafePointer<UInt8>?, UInt32) -> UInt, _ combine: (UInt, UInt, Int) -> UInt
    ) -> UInt {
        func of(_ data: Data) -> UInt {
            [UInt8](data).withUnsafeBufferPointer {
                $0.isEmpty ? initial : sum(initial, $0.baseAddress, UInt32($0.count))
            }
        }
        var total = of(start)
        let one = of(block)
        for _ in 0..<times { total = combine(total, one, block.count) }
        return combine(total, of(end), end.count)
    }
}
