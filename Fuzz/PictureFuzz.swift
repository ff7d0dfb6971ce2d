import CStoreZlib
import Foundation

@testable import StoreCore
@testable import StorePictures

/// More pixels take more time, and nothing else.
private let mostPixels = 1 << 20

/// Reads a picture, makes a small one of it, and reads that. By the first byte the others are a
/// file (`x`), or one of PNG whose checksums are set right here (`p`), so that changes get behind
/// them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPicture(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(bytes, count)
    let kind = input.byte()
    var file = Array(input.all())
    if kind == UInt8(ascii: "p") { repair(&file) }
    let data = Data(file)
    guard let header = ImageHeader(of: data) else {
        demand((try? Picture(data)) == nil, "a picture without a header is one")
        return 0
    }
    guard header.width <= mostPixels / header.height else { return 0 }
    do {
        let picture = try Picture(data)
        demand(picture.width > 0 && picture.height > 0, "a picture has no size")
        for (fit, format) in [
            (PictureSize.Fit.within, ImageHeader.Format.png), (.filling, .jpeg),
        ] {
            let size = PictureSize(width: 40, height: 30, fit: fit, format: format)
            let small = try picture.scaled(to: size)
            demand(small.width <= 40 && small.height <= 30, "a picture is too large")
            let again = try Picture(try small.encoded(as: format))
            demand(again.width == small.width && again.height == small.height, "a size changed")
        }
    } catch {
        demand(!"\(error)".isEmpty, "a problem says nothing")
    }
    return 0
}

private func repair(_ file: inout [UInt8]) {
    func number(_ index: Int) -> Int { file[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } }
    var index = 8
    while file.count - index >= 12 {
        let end = index + 8 + number(index)
        guard end + 4 <= file.count else { return }
        let sum = UInt32(crc32(0, Array(file[index + 4..<end]), uInt(end - index - 4)))
        for byte in 0..<4 { file[end + byte] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * byte)) }
        index = end + 4
    }
}
