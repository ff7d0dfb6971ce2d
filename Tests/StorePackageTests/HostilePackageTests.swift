import Foundation
import StorePackage
import StorePackageSamples
import StoreTestSupport
import Testing

@Suite("Hostile package")
struct HostilePackageTests {
    @Test(arguments: HostilePackage.all)
    func `it is refused by the rule that it breaks`(_ package: HostilePackage) throws {
        let bytes = [UInt8](package.encoded())
        let problems = problems { _ = try PackageReader(bytes: bytes).summary() }
        #expect(problems.contains { $0.rule == package.rule }, "\(problems)")
        if let path = package.path {
            #expect(
                problems.contains { $0.rule == package.rule && $0.path == path }, "\(problems)")
        }
        // Nothing good is blamed beside what is bad.
        #expect(Set(problems.map(\.rule)).count == 1, "\(problems)")
        #expect(problems.allSatisfy { !$0.advice.isEmpty })
    }

    @Test(arguments: HostilePackage.all)
    func `nothing of it is unpacked`(_ package: HostilePackage) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("hostile.pkg", package.encoded())
        let target = folder.file("out")
        let problems = problems { try PackageUnpacker(file: file).unpack(to: target) }
        #expect(problems.contains { $0.rule == package.rule }, "\(problems)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names == ["hostile.pkg"])
    }

    @Test func `no two of them have the same name`() {
        #expect(Set(HostilePackage.all.map(\.name)).count == HostilePackage.all.count)
        #expect(HostilePackage.all.count >= 40)
    }
}
