import Foundation
import StorePackage
import StorePackageSamples
import StoreTestSupport
import Testing

/// A folder to make a package of, beside the package.
struct SampleFolder {
    let folder: TemporaryFolder

    var source: URL { folder.file("source") }
    var package: URL { folder.file("chapter.pkg") }

    init() throws {
        folder = try TemporaryFolder()
        try write(
            "ContentInfo.plist", SampleShop.contentInfo("com.example.chapter", version: "1.0"))
        try write("Contents/text.txt", String(repeating: "It was a dark night.\n", count: 500))
        try folder.write("source/Contents/pictures/noise.bin", SampleShop.noise(200_000, seed: 7))
        try write("Contents/empty", "")
        try write("Contents/章/第一.txt", "第一章")
        try link("Contents/pictures/words", to: "../text.txt")
    }

    func write(_ path: String, _ text: String) throws {
        try folder.write("source/\(path)", text)
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: source.appendingPathComponent(path).path, withDestinationPath: target)
    }

    @discardableResult
    func build(limits: PackageLimits = .store) throws -> PackageReader.Summary {
        try PackageBuilder(folder: source, limits: limits).build(to: package)
    }

    func read(limits: PackageLimits = .store) throws -> PackageReader.Summary {
        try PackageReader(file: package, limits: limits).summary()
    }
}

/// The problems of what `body` refuses.
func problems(
    _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> [PackageProblem] {
    #expect(throws: PackageError.self, sourceLocation: location) { try body() }?.problems ?? []
}

/// The problems of an archive made by hand.
func problems(
    of package: HandmadePackage, limits: PackageLimits = .store,
    _ location: SourceLocation = #_sourceLocation
) throws -> [PackageProblem] {
    let folder = try TemporaryFolder()
    let file = try folder.write("handmade.pkg", package.encoded())
    return problems(location) { _ = try PackageReader(file: file, limits: limits).summary() }
}
