import Foundation

/// The header of an AppImage: a program of ELF, with a squashfs behind it.
///
/// Of the file system nothing is read: what an AppImage is called and which version it is, only
/// its publisher says.
enum ELFHeader {
    static let mark: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

    /// Why a file is no whole AppImage; nil where it is one.
    static func problem(of file: PackageFile) throws -> String? {
        let header = try file.bytes(at: 0, count: 64)
        guard header.count == 64, header[5] == 1 else {
            return "its ELF header is damaged; build the AppImage again"
        }
        let number = { (place: Int, length: Int) -> UInt64 in
            header[place..<place + length].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        let isWide = header[4] == 2
        let table = isWide ? number(0x28, 8) : number(0x20, 4)
        let size = isWide ? number(0x3a, 2) : number(0x2e, 2)
        let count = isWide ? number(0x3c, 2) : number(0x30, 2)
        let (end, isTooFar) = table.addingReportingOverflow(size * count)
        guard !isTooFar, let place = Int64(exactly: end), place < file.size else {
            return "it ends in the middle of its program; build the AppImage again"
        }
        let squashfs = try file.bytes(at: place, count: 48)
        guard squashfs.count == 48, squashfs.starts(with: Array("hsqs".utf8)) else {
            return "there is no squashfs behind its program; build the AppImage again"
        }
        let used = squashfs[40..<48].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard used <= UInt64(file.size - place) else {
            return "it ends in the middle of its files; build the AppImage again"
        }
        return nil
    }
}
