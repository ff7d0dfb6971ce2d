import Foundation
import StoreModel

extension AppPackageFormat {
    /// The format of a file by its first bytes; names say nothing.
    ///
    /// - Throws: `PackageError` where it is none.
    init(of file: PackageFile) throws {
        let start = try file.bytes(at: 0, count: 64)
        if start.starts(with: ELFHeader.mark) {
            switch Array(start.dropFirst(8).prefix(3)) {
            case [0x41, 0x49, 2]: self = .appImage
            case [0x41, 0x49, 1]:
                throw PackageError(
                    .readable,
                    "it is an AppImage of type 1, which nothing makes any more; make one of type 2")
            default:
                throw PackageError(
                    .readable,
                    "it is a program, and no AppImage; put it with its metainfo into a folder and "
                        + "make a .tar.zst of that")
            }
        } else if start.starts(with: FlatpakBundle.mark) {
            self = .flatpak
        } else if start.starts(with: Array("!<arch>\ndebian-binary".utf8)) {
            self = .debian
        } else if start.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
            self = .tarZstd
        } else if start.starts(with: [0x50, 0x4b, 3, 4]) {
            self = .zip
        } else {
            throw PackageError(
                .readable,
                "it is no AppImage, Flatpak bundle, Debian package, .tar.zst or .zip; build it again"
            )
        }
    }
}
