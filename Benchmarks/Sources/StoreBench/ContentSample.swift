import Foundation

/// Content to measure with, as a publisher has it: 300 files, half text, half noise, and
/// versions of it. The same size gives the same bytes.
struct ContentSample {
    static let product = "com.example.bench.hosted"
    private static let count = 300

    /// What `catalog import --content` takes.
    let folder: URL
    let version: String
    private let sizes: [Int]

    /// The folder with `ContentInfo.plist` and `Contents`.
    var root: URL { folder.appendingPathComponent(Self.product) }

    /// Makes version 1.0.
    ///
    /// - Parameter megabytes: of all files together; with 1000, they have 4 KB to 40 MB.
    init(into folder: URL, megabytes: Int) throws {
        self.folder = folder
        version = "1.0"
        let smallest = 4096.0
        let largest = 40e6
        sizes = (0..<Self.count).map { number in
            // The exponent makes 1000 MB of the sum.
            let place = pow(Double(number) / Double(Self.count - 1), 1.376)
            let size = smallest * pow(largest / smallest, place) * Double(megabytes) / 1000
            return Int(max(smallest, size))
        }
        try writeInformation()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 8)
        defer { buffer.deallocate() }
        for number in sizes.indices {
            let file = self.file(number)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            var bytes = SeededBytes(kind(number), seed: UInt64(number))
            try Self.write(file, flags: O_CREAT | O_EXCL) { descriptor in
                var rest = sizes[number]
                while rest > 0 {
                    let piece = UnsafeMutableRawBufferPointer(
                        rebasing: buffer[..<min(rest, buffer.count)])
                    bytes.fill(piece)
                    try Self.write(piece, to: descriptor, at: nil)
                    rest -= piece.count
                }
            }
        }
    }

    /// Bytes of all files.
    var length: Int { sizes.reduce(0, +) }

    /// Makes the next version, in which a hundredth of the content is other content, at a
    /// hundred places.
    func changed(into folder: URL, version: String) throws -> ContentSample {
        let next = try ContentSample(copying: self, into: folder, version: version, sizes: sizes)
        let length = self.length / 10_000
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 8)
        defer { buffer.deallocate() }
        var random = SeededRandom(seed: 100)
        var places = 0
        while places < 100 {
            // Any byte of the content is as likely as any other.
            var offset = Int(random.next() % UInt64(self.length))
            var number = 0
            while offset >= sizes[number] {
                offset -= sizes[number]
                number += 1
            }
            guard offset + length <= sizes[number] else { continue }
            var bytes = SeededBytes(kind(number), seed: 1000 + UInt64(places))
            bytes.fill(buffer)
            try Self.write(next.file(number)) { try Self.write(buffer, to: $0, at: offset) }
            places += 1
        }
        return next
    }

    /// Makes the next version, in which 1 MB of noise comes before the largest file.
    func lengthened(into folder: URL, version: String) throws -> ContentSample {
        let added = 1_000_000
        var sizes = self.sizes
        sizes[sizes.count - 1] += added
        let next = try ContentSample(copying: self, into: folder, version: version, sizes: sizes)
        let file = next.file(sizes.count - 1)
        var data = Data(count: added)
        data.withUnsafeMutableBytes { buffer in
            var bytes = SeededBytes(.noise, seed: 2000)
            bytes.fill(buffer)
        }
        try (data + Data(contentsOf: file)).write(to: file)
        return next
    }

    private init(
        copying other: ContentSample, into folder: URL, version: String, sizes: [Int]
    ) throws {
        self.folder = folder
        self.version = version
        self.sizes = sizes
        try BenchShop.run("/bin/cp", ["-a", other.folder.path, folder.path])
        try writeInformation()
    }

    private func kind(_ number: Int) -> SeededBytes.Kind { number % 2 == 0 ? .text : .noise }

    private func file(_ number: Int) -> URL {
        root.appendingPathComponent("Contents/part \(number % 12)/\(number % 5)")
            .appendingPathComponent(
                "\(number)." + (kind(number) == .text ? "txt" : "bin"))
    }

    private func writeInformation() throws {
        let list = """
            <plist version="1.0"><dict><key>ContentVersion</key><string>\(version)</string>
            <key>IAPProductIdentifier</key><string>\(Self.product)</string></dict></plist>
            """
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try list.write(
            to: root.appendingPathComponent("ContentInfo.plist"), atomically: true,
            encoding: .utf8)
    }

    // MARK: Files

    private static func write(
        _ file: URL, flags: Int32 = 0, _ body: (Int32) throws -> Void
    ) throws {
        let descriptor = open(file.path, O_WRONLY | O_CLOEXEC | flags, 0o644)
        guard descriptor >= 0 else { throw BenchFailure("\(file.path): errno \(errno)") }
        defer { close(descriptor) }
        try body(descriptor)
    }

    private static func write(
        _ bytes: UnsafeMutableRawBufferPointer, to descriptor: Int32, at offset: Int?
    ) throws {
        let count =
            offset.map { pwrite(descriptor, bytes.baseAddress, bytes.count, $0) }
            ?? Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        guard count == bytes.count else { throw BenchFailure("a write failed: errno \(errno)") }
    }
}
