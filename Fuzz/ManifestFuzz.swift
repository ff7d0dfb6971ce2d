import Foundation
import StoreDelivery

/// Reads a manifest and the table of its blobs, which begins where the first two bytes say:
/// the bytes as they are, and as what is compressed, so that changes get behind the
/// compression.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzManifest(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 2, let bytes else { return 0 }
    let data = Data(UnsafeBufferPointer(start: bytes + 2, count: count - 2))
    let length = min(data.count, Int(bytes[0]) << 8 | Int(bytes[1]))
    let (outline, table) = (data.prefix(length), Data(data.dropFirst(length)))
    read(Data(outline), table)
    read(stored(Data(outline)), stored(table))
    return 0
}

private func read(_ outline: Data, _ table: Data) {
    guard let manifest = try? DeliveryOutline(encoded: outline).manifest(tables: { _ in table })
    else { return }
    // What was read can be written and read again.
    guard let encoded = try? manifest.encoded(),
        let again = try? DeliveryOutline(encoded: encoded).manifest(tables: { _ in table })
    else { fail("a manifest that was read can't be written") }
    demand(again == manifest, "a manifest changed")
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
