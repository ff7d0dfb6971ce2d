import Foundation
import StorePackage
import StoreTestSupport
import Testing

@Suite("Damaged package")
struct DamagedPackageTests {
    private let sample: SampleFolder
    private let bytes: Data

    init() throws {
        sample = try SampleFolder()
        try sample.build()
        bytes = try Data(contentsOf: sample.package)
        try #require(bytes.count > 1000)
    }

    private func expectUnreadable(
        _ bytes: Data, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try bytes.write(to: sample.package)
        let problems = problems(location) { _ = try sample.read() }
        #expect(problems.map(\.rule) == [.readable], sourceLocation: location)
    }

    @Test(arguments: [1, 3, 4, 27, 28, 29, 100, 500])
    func `a package cut short in header or table is unreadable`(_ length: Int) throws {
        try expectUnreadable(bytes.prefix(length))
    }

    @Test(arguments: 1..<10)
    func `a package cut short among its files is unreadable`(_ tenths: Int) throws {
        try expectUnreadable(bytes.prefix(bytes.count * tenths / 10))
    }

    @Test func `an empty file is no package`() throws {
        try expectUnreadable(Data())
    }

    @Test(arguments: [1, 28, 1000, 100_000])
    func `garbage is no package`(_ length: Int) throws {
        try expectUnreadable(SampleShop.noise(length, seed: 1))
        try expectUnreadable(Data("xar!".utf8) + SampleShop.noise(length, seed: 2))
    }

    @Test(arguments: [0, 4, 6, 16, 40, 200])
    func `a changed header or table is unreadable`(_ offset: Int) throws {
        var damaged = bytes
        damaged[offset] ^= 0x55
        try expectUnreadable(damaged)
    }

    @Test(arguments: 4..<10)
    func `a changed byte of a file's contents is unreadable`(_ tenths: Int) throws {
        var damaged = bytes
        damaged[bytes.count * tenths / 10 - 1] ^= 0x55
        try expectUnreadable(damaged)
    }

    @Test func `a package that is not there is told by its path`() throws {
        let problems = problems {
            _ = try PackageReader(file: sample.folder.file("nowhere.pkg")).summary()
        }
        #expect(problems.first?.rule == .readable)
        #expect(problems.first?.description.contains("nowhere.pkg") == true)
    }

    @Test func `a folder is no package`() throws {
        let problems = problems { _ = try PackageReader(file: sample.source).summary() }
        #expect(problems.map(\.rule) == [.readable])
    }
}
