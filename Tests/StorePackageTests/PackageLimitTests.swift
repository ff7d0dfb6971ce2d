import Foundation
@testable import StorePackage
import StorePackageSamples
import StoreTestSupport
import Testing

@Suite("Limits of packages")
struct PackageLimitTests {
    private static let wide = PackageLimits(
        packedBytes: 1_000_000, unpackedBytes: 1_000_000, entries: 100)

    private func limits(
        packed: Int64? = nil, unpacked: Int64? = nil, entries: Int? = nil
    ) -> PackageLimits {
        PackageLimits(
            packedBytes: packed ?? Self.wide.packedBytes,
            unpackedBytes: unpacked ?? Self.wide.unpackedBytes,
            entries: entries ?? Self.wide.entries)
    }

    /// What builds a package twice, until both are of the same second: libarchive writes the time
    /// into the table of contents, whose compressed size differs with it.
    private func inOneSecond<Result>(_ body: () throws -> Result) rethrows -> Result {
        while true {
            let second = time(nil)
            let result = try body()
            if time(nil) == second { return result }
        }
    }

    @Test func `a package exactly at its limits is taken`() throws {
        let sample = try SampleFolder()
        let found = inOneSecond {
            Result {
                let built = try sample.build()
                let exact = limits(
                    packed: built.packedBytes, unpacked: built.unpackedBytes,
                    entries: built.entries.count)
                let read = try sample.read(limits: exact)
                try sample.build(limits: exact)
                return (built: built.entries.count, read: read.entries.count)
            }
        }
        let counts = try found.get()
        #expect(counts.read == counts.built)
    }

    @Test func `the store takes no package of more than two gigabytes`() throws {
        let sample = try SampleFolder()
        try sample.build()
        let size = off_t(PackageLimits.store.packedBytes)
        #expect(size == 2_000_000_000)
        // Room that is not used costs nothing on disk.
        try #require(truncate(sample.package.path, size + 1) == 0)
        let problems = problems { _ = try sample.read() }
        #expect(problems.contains { $0.rule == .limits }, "\(problems)")
    }

    @Test func `one more byte packed is refused`() throws {
        let sample = try SampleFolder()
        let found = try inOneSecond {
            let limits = limits(packed: try sample.build().packedBytes - 1)
            return (
                read: Result { try sample.read(limits: limits) },
                built: Result { try sample.build(limits: limits) }
            )
        }
        #expect(problems { _ = try found.read.get() }.map(\.rule) == [.limits])
        #expect(problems { _ = try found.built.get() }.map(\.rule) == [.limits])
    }

    @Test func `one more byte unpacked is refused`() throws {
        let sample = try SampleFolder()
        let limits = limits(unpacked: try sample.build().unpackedBytes - 1)
        #expect(problems { _ = try sample.read(limits: limits) }.map(\.rule) == [.limits])
        #expect(problems { try sample.build(limits: limits) }.map(\.rule) == [.limits])
    }

    @Test func `one more entry is refused`() throws {
        let sample = try SampleFolder()
        let limits = limits(entries: try sample.build().entries.count - 1)
        #expect(problems { _ = try sample.read(limits: limits) }.map(\.rule) == [.limits])
        #expect(problems { try sample.build(limits: limits) }.map(\.rule) == [.limits])
    }

    @Test func `the reader stops at the limit, not behind it`() throws {
        let sample = try SampleFolder()
        try sample.folder.write("source/Contents/zeros", Data(count: 20_000_000))
        try sample.build()
        var seen = 0
        let problems = problems {
            _ = try PackageReader(file: sample.package, limits: limits(unpacked: 1_000_000))
                .read { _, contents in try contents.forEachPiece { seen += $0.count } }
        }
        #expect(problems.map(\.rule) == [.limits])
        #expect(seen <= 1_000_000)
    }

    @Test func `a package with countless problems names a hundred`() throws {
        let contents = (0..<300).map { HandmadePackage.file("\($0)", mode: "0755") }
        #expect(try problems(of: HandmadePackage(contents: contents)).count == 100)
    }
}
