import Foundation
import StoreDelivery

/// Reads a manifest: the bytes as they are, and as what is compressed, so that changes get
/// behind the compression.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzManifest(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let data = Data(UnsafeBufferPointer(start: bytes, count: count))
    read(data)
    read(stored(data))
    return 0
}

private func read(_ data: Data) {
    guard let manifest = try? DeliveryManifest(encoded: data) else { return }
    // What was read can be written and read again.
    guard let again = try? DeliveryManifest(encoded: manifest.encoded()) else {
        preconditionFailure("a manifest that was read can't be written")
    }
    precondition(again.entries.count == manifest.entries.count, "a manifest changed")
}

/// A frame of zstd with the bytes as they are, in raw blocks (RFC 8878, 3.1.1).
private func stored(_ data: Data) -> Data {
    var frame = Data([0x28, 0xb5, 0x2f, 0xfd, 0xa0])
    withUnsafeBytes(of: UInt32(data.count).littleEndian) { frame.append(contentsOf: $0) }
    var rest = data
    repeat {
        let block = rest.prefix(1 << 16)
        rest = rest.dropFirst(block.count)
        let header = UInt32(block.count) << 3 | (rest.isEmpty ? 1 : 0)
        withUnsafeBytes(of: header.littleEndian) { frame.append(contentsOf: $0.prefix(3)) }
        frame += block
    } while !rest.isEmpty
    return frame
}
