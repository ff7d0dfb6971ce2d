import CStorePictures
import Foundation
import StoreCore

/// A picture in memory, read by libpng or libjpeg and kept by libgd: colours as they stand in the
/// file, taken as sRGB.
///
/// Not for use by two threads at once.
package final class Picture {
    /// Pixels, width times height: four bytes each while a picture is read.
    package static let pixelLimit = 40_000_000
    /// Pixels of a side: as many as a JPEG can have.
    package static let sideLimit = 65_535

    private static let ready: Void = cstore_pictures_be_quiet()
    private let image: gdImagePtr
    /// How the pixels lie.
    private let orientation: PictureOrientation

    private init(_ image: gdImagePtr, _ orientation: PictureOrientation = .upright) {
        self.image = image
        self.orientation = orientation
    }

    deinit {
        gdImageDestroy(image)
    }

    /// Reads a picture to its end.
    ///
    /// - Throws: `PictureProblem`. Sizes are looked at before anything is read by them.
    package convenience init(_ bytes: Data) throws(PictureProblem) {
        Self.ready
        guard let header = ImageHeader(of: bytes) else { throw .unknownFormat }
        guard header.width <= Self.pixelLimit / header.height,
            max(header.width, header.height) <= Self.sideLimit
        else {
            throw .tooManyPixels(
                width: header.width, height: header.height, limit: Self.pixelLimit)
        }
        let image: gdImagePtr?
        switch header.format {
        case .png:
            guard let sanitized = PNGSanitizer.of(bytes) else { throw .damaged }
            image = sanitized.withUnsafeBytes { cstore_pictures_read_png($0.count, $0.baseAddress) }
        case .jpeg:
            guard JPEGScans.areFew(in: bytes), let count = Int32(exactly: bytes.count) else {
                throw .damaged
            }
            image = bytes.withUnsafeBytes { cstore_pictures_read_jpeg(count, $0.baseAddress) }
        }
        guard let image else { throw .damaged }
        self.init(image, header.format == .jpeg ? PictureOrientation(ofJPEG: bytes) : .upright)
        // What the header promised is what was checked.
        guard Int(image.pointee.sx) == header.width, Int(image.pointee.sy) == header.height,
            gdImagePaletteToTrueColor(image) != 0
        else { throw .damaged }
    }

    /// As it stands upright.
    package var width: Int { Int(orientation.swapsSides ? image.pointee.sy : image.pointee.sx) }
    package var height: Int { Int(orientation.swapsSides ? image.pointee.sx : image.pointee.sy) }

    /// The picture in another size: each new pixel is the mean of those that it covers.
    ///
    /// - Throws: `PictureProblem.damaged` where there is no memory.
    package func scaled(to size: PictureSize) throws(PictureProblem) -> Picture {
        // Turned when it is small.
        let size = orientation.swapsSides ? size.swapped : size
        let plan = size.plan(ofWidth: Int(image.pointee.sx), height: Int(image.pointee.sy))
        guard let made = gdImageCreateTrueColor(Int32(plan.width), Int32(plan.height)) else {
            throw .damaged
        }
        let result = Picture(made, orientation)
        gdImageAlphaBlending(made, 0)
        gdImageCopyResampled(
            made, image, 0, 0, Int32(plan.x), Int32(plan.y), Int32(plan.width),
            Int32(plan.height), Int32(plan.sourceWidth), Int32(plan.sourceHeight))
        return try result.upright()
    }

    /// The picture with its pixels as they are to be seen.
    ///
    /// - Throws: `PictureProblem.damaged` where there is no memory.
    private func upright() throws(PictureProblem) -> Picture {
        guard orientation != .upright else { return self }
        guard let made = gdImageCreateTrueColor(Int32(width), Int32(height)) else {
            throw .damaged
        }
        let result = Picture(made)
        let (sourceWidth, sourceHeight) = (Int(image.pointee.sx), Int(image.pointee.sy))
        for y in 0..<height {
            for x in 0..<width {
                let from = orientation.source(
                    x: x, y: y, width: sourceWidth, height: sourceHeight)
                made.pointee.tpixels[y]?[x] = image.pointee.tpixels[from.y]?[from.x] ?? 0
            }
        }
        return result
    }

    /// The picture as a file, without what cameras and programs write beside the pixels.
    ///
    /// - Throws: `PictureProblem.damaged` where there is no memory.
    package func encoded(as format: ImageHeader.Format) throws(PictureProblem) -> Data {
        guard orientation == .upright else { return try upright().encoded(as: format) }
        var count: Int32 = 0
        let bytes: UnsafeMutableRawPointer?
        switch format {
        case .png:
            gdImageSaveAlpha(image, hasTransparency ? 1 : 0)
            bytes = gdImagePngPtrEx(image, &count, 6)
        case .jpeg:
            let opaque = try onWhite()
            gdImageInterlace(opaque.image, 1)
            bytes = gdImageJpegPtr(opaque.image, &count, 85)
        }
        guard let bytes, count > 0 else { throw .damaged }
        defer { gdFree(bytes) }
        return Data(bytes: bytes, count: Int(count))
    }

    /// JPEG knows no transparency.
    private func onWhite() throws(PictureProblem) -> Picture {
        guard hasTransparency else { return self }
        guard let made = gdImageCreateTrueColor(Int32(width), Int32(height)) else {
            throw .damaged
        }
        let result = Picture(made)
        gdImageFilledRectangle(made, 0, 0, Int32(width) - 1, Int32(height) - 1, 0xFF_FFFF)
        gdImageAlphaBlending(made, 1)
        gdImageCopy(made, image, 0, 0, 0, 0, Int32(width), Int32(height))
        return result
    }

    /// The alpha of libgd has seven bits, and 0 is opaque.
    private var hasTransparency: Bool {
        (0..<height).contains { y in
            let row = image.pointee.tpixels[y]
            return (0..<width).contains { row?[$0] ?? 0 > 0xFF_FFFF }
        }
    }
}
