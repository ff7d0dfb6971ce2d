import Foundation

/// What a Flatpak bundle says about its app.
///
/// A bundle is a GVariant, the superblock of a static delta of OSTree. Its first member is a
/// dictionary that begins with the key `flatpak`; of it, single small values are read, by their
/// places. What the app consists of is for `flatpak` to unpack.
///
/// Source: https://docs.gtk.org/glib/gvariant-format-strings.html and the GVariant Specification;
/// `app/flatpak-builtins-build-bundle.c` has the keys.
struct FlatpakBundle {
    /// The first key of the dictionary.
    static let mark: [UInt8] = Array("flatpak\0".utf8)
    /// Entries of the dictionary that are looked at; large bundles have one for each part.
    private static let entryLimit = 1 << 16
    private static let valueLimit: Int64 = 4 << 20

    /// As in `app/com.example.Lamp/x86_64/stable`.
    private(set) var ref: String?
    /// AppStream's metainfo, as it stands there or unpacked.
    private(set) var metainfo: Data?

    private let file: PackageFile

    /// - Throws: `PackageError` where the bytes are no bundle.
    init(_ file: PackageFile) throws {
        self.file = file
        let width = Self.offsetSize(file.size)
        let length = try number(at: file.size - width, width)
        // Six members behind the dictionary have offsets too.
        guard length > 0, length <= file.size - 6 * width else { throw Self.damaged }
        for entry in try entries(of: length) {
            switch try key(of: entry) {
            case "ref": ref = try text(in: entry)
            case "appdata": metainfo = try value(in: entry, type: "ay").map(Self.unpacked)
            default: continue
            }
        }
    }

    /// The identifier in the reference; nil where it is none of an app.
    var identifier: String? {
        let parts = (ref ?? "").split(scalar: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "app" else { return nil }
        return String(parts[1])
    }

    // MARK: GVariant

    /// Where the entries of the dictionary in the first bytes lie.
    private func entries(of length: Int64) throws -> [Range<Int64>] {
        let width = Self.offsetSize(length)
        guard length > width else { throw Self.damaged }
        let table = try number(at: length - width, width)
        guard table > 0, table < length, (length - table) % width == 0 else { throw Self.damaged }
        let count = (length - table) / width
        guard count <= Int64(Self.entryLimit) else { throw Self.damaged }
        var entries: [Range<Int64>] = []
        var start: Int64 = 0
        for index in 0..<count {
            let end = try number(at: table + index * width, width)
            guard end > start, end <= table else { throw Self.damaged }
            entries.append(start..<end)
            start = (end + 7) & ~7
        }
        return entries
    }

    /// How long a key is, and its zero.
    private func keyLength(of entry: Range<Int64>) throws -> (width: Int64, length: Int64) {
        let size = entry.upperBound - entry.lowerBound
        let width = Self.offsetSize(size)
        guard size > width else { throw Self.damaged }
        let length = try number(at: entry.upperBound - width, width)
        guard length > 0, length <= size - width else { throw Self.damaged }
        return (width, length)
    }

    private func key(of entry: Range<Int64>) throws -> String? {
        let length = try keyLength(of: entry).length
        guard length <= 64 else { return nil }
        let bytes = try file.bytes(at: entry.lowerBound, count: Int(length))
        return String(validating: bytes.dropLast(), as: UTF8.self)
    }

    /// The bytes of a value of one type; nil where it is of another one, or too large.
    private func value(in entry: Range<Int64>, type: String) throws -> [UInt8]? {
        let (width, length) = try keyLength(of: entry)
        let start = entry.lowerBound + (length + 7) & ~7
        let end = entry.upperBound - width
        guard start < end, end - start <= Self.valueLimit else { return nil }
        let bytes = try file.bytes(at: start, count: Int(end - start))
        let suffix = [0] + Array(type.utf8)
        guard bytes.count > suffix.count, bytes.suffix(suffix.count).elementsEqual(suffix) else {
            return nil
        }
        return Array(bytes.dropLast(suffix.count))
    }

    private func text(in entry: Range<Int64>) throws -> String? {
        guard let bytes = try value(in: entry, type: "s"), bytes.last == 0 else { return nil }
        return String(validating: bytes.dropLast(), as: UTF8.self)
    }

    private func number(at offset: Int64, _ width: Int64) throws -> Int64 {
        guard offset >= 0 else { throw Self.damaged }
        let bytes = try file.bytes(at: offset, count: Int(width))
        guard bytes.count == Int(width) else { throw Self.damaged }
        let number = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int64(exactly: number) else { throw Self.damaged }
        return number
    }

    /// Bytes of an offset in a container of so many.
    private static func offsetSize(_ size: Int64) -> Int64 {
        switch size {
        case ...0xff: 1
        case ...0xffff: 2
        case ...0xffff_ffff: 4
        default: 8
        }
    }

    // MARK: Metainfo

    /// What gzip has packed, as far as it is small; other bytes as they are.
    private static func unpacked(_ bytes: [UInt8]) -> Data {
        guard bytes.starts(with: [0x1f, 0x8b]) else { return Data(bytes) }
        let inflater = Inflater(.gzip)
        var plain = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !inflater.isAtEnd, plain.count <= Int(AppMetainfo.sizeLimit) {
                let step = buffer.withUnsafeMutableBytes { inflater.inflate(rest, into: $0) }
                guard let step, step.made > 0 || step.taken > 0 else { break }
                plain.append(contentsOf: buffer[..<step.made])
                rest = UnsafeRawBufferPointer(rebasing: rest[step.taken...])
            }
        }
        return plain
    }

    private static var damaged: PackageError {
        PackageError(.readable, "the Flatpak bundle is damaged or cut short; build it again")
    }
}
