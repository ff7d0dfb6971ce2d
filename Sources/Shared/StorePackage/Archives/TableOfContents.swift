/// A xar archive's header and table of contents, looked at before libarchive sees them.
///
/// libarchive holds the whole table in memory and believes it, so what would cost memory
/// or time is turned away here, while the table streams by.
struct TableOfContents {
    private static let headerSize = 28

    /// The header as libarchive is to see it.
    let neutralHeader: [UInt8]
    /// What the table says of itself.
    let findings: TableScanner.Findings

    /// - Throws: `PackageError` where the archive can't be read or would cost too much.
    init(of file: PackageFile, limits: PackageLimits) throws {
        var header = try file.bytes(at: 0, count: Self.headerSize)
        guard header.starts(with: Array("xar!".utf8)) else {
            throw PackageError(
                .readable, "it is not a xar archive; make one with openstore content build")
        }
        guard header.count == Self.headerSize else { throw Self.cutShort }
        func number(at offset: Int, _ bytes: Int) -> UInt64 {
            header[offset..<(offset + bytes)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard number(at: 4, 2) == 28, number(at: 6, 2) == 1 else {
            throw PackageError(
                .readable, "its xar header has an unknown size or version; build it again")
        }
        // 0 none, 1 SHA-1, 2 MD5; Apple's newer tools write 3 for SHA-256 and 4 for SHA-512,
        // which libarchive would not read. Damage shows in zlib's own checksum.
        guard number(at: 24, 4) <= 4 else {
            throw PackageError(
                .readable, "its xar header names an unknown checksum; build it again")
        }
        if number(at: 24, 4) > 2 { header[27] = 0 }
        neutralHeader = header
        let packed = number(at: 8, 8)
        let unpacked = number(at: 16, 8)
        guard packed <= UInt64(max(0, file.size - 28)) else { throw Self.cutShort }
        // More than zlib can make of so few bytes.
        guard unpacked / 1040 <= packed else { throw Self.liesOfLength }
        guard unpacked <= limits.tableBytes, packed <= limits.tableBytes else {
            throw PackageError(
                .limits,
                "its table of contents has \(unpacked) bytes, of at most \(limits.tableBytes); "
                    + "put many small files into fewer larger ones")
        }
        let heap = file.size - 28 - Int64(packed)
        findings = try Self.scan(
            file, packed: Int(packed), unpacked: Int(unpacked),
            with: TableScanner(limits: limits, heapBytes: heap))
    }

    private static var cutShort: PackageError {
        PackageError(.readable, "the package was cut short; build or copy it again")
    }

    /// Inflates the table piece by piece; it has to have exactly the announced lengths.
    private static func scan(
        _ file: PackageFile, packed: Int, unpacked: Int, with scanner: TableScanner
    ) throws -> TableScanner.Findings {
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer {
            input.deallocate()
            output.deallocate()
        }
        let inflater = Inflater(.zlib)
        var (read, made) = (0, 0)
        while read < packed, !inflater.isAtEnd {
            let count = try file.read(
                at: Int64(headerSize + read),
                into: UnsafeMutableRawBufferPointer(
                    rebasing: input[..<min(input.count, packed - read)]))
            guard count > 0 else { throw cutShort }
            read += count
            var rest = UnsafeRawBufferPointer(rebasing: input[..<count])
            while !inflater.isAtEnd {
                guard let step = inflater.inflate(rest, into: output) else { throw damaged }
                made += step.made
                guard made <= unpacked else { throw liesOfLength }
                try scanner.scan(UnsafeRawBufferPointer(rebasing: output[..<step.made]))
                rest = UnsafeRawBufferPointer(rebasing: rest[step.taken...])
                if rest.isEmpty, step.made < output.count { break }
                if step == (0, 0) { throw damaged }
            }
            guard rest.isEmpty else { throw liesOfLength }
        }
        guard inflater.isAtEnd, read == packed, made == unpacked else { throw liesOfLength }
        return try scanner.finish()
    }

    private static var damaged: PackageError {
        PackageError(
            .readable, "its table of contents is damaged; build or copy the package again")
    }

    private static var liesOfLength: PackageError {
        PackageError(
            .readable,
            "its table of contents has another length than its header says; build it again")
    }
}
