import Foundation
@testable import StoreMetadata

/// Reads products from a metadata file, in pieces whose length the first byte says; what was
/// read without a problem can be written, and is the same when it is read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMetadata(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let bytes else { return 0 }
    let file = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
    let (products, header, problems) = read(file, piece: Int(bytes[0]) + 1)
    // The last one says that reading has stopped.
    demand(problems <= MetadataLimits.problems + 1, "\(problems) problems")
    demand(problems > 0 || header != nil, "a file without an app is right")
    guard problems == 0, let header else { return 0 }
    var written: [UInt8] = []
    do {
        var writer = try ProductMetadataWriter(header) { written += $0 }
        for product in products { try writer.add(product) }
        try writer.finish()
    } catch {
        fail("\(error)")
    }
    let again = read(written, piece: 1 << 16)
    demand(again.problems == 0, "what was written can't be read")
    demand(again.products == products, "a product changed")
    demand(again.header?.vendorID == header.vendorID, "the app changed")
    return 0
}

private func read(
    _ file: [UInt8], piece: Int
) -> (products: [MetadataProduct], header: MetadataHeader?, problems: Int) {
    var rest = file[...]
    var reader = ProductMetadataReader(
        MarkupReader {
            defer { rest = rest.dropFirst(piece) }
            return Array(rest.prefix(piece))
        })
    var products: [MetadataProduct] = []
    do {
        while var product = try reader.next() {
            product.lines = MetadataLines(product: 0)
            products.append(product)
        }
    } catch {
        fail("\(error)")
    }
    return (products, reader.header, reader.problems.count)
}
