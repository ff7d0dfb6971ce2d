import Foundation
import StoreModel
import StorePackage
import StorePackageSamples
import StoreTestSupport
import Testing

@Suite("What is expected of a package")
struct PackageExpectationTests {
    private func problems(
        _ expectation: PackageExpectation,
        of package: HandmadePackage = .init(contents: [HandmadePackage.file("x", "y")])
    ) -> [PackageProblem] {
        do {
            _ = try PackageReader(bytes: [UInt8](package.encoded()), expectation: expectation)
                .summary()
            return []
        } catch let error as PackageError {
            return error.problems
        } catch {
            Issue.record(error)
            return []
        }
    }

    @Test func `a package that is what it should be is taken`() {
        #expect(
            problems(
                .init(
                    productID: ProductID("com.example.chapter"), newerThan: ContentVersion("0.9"),
                    fileName: "Chapter.PKG")
            ).isEmpty)
    }

    @Test func `a package without a file is refused`() {
        let problems = problems(.init(), of: .init(contents: []))
        #expect(problems.map(\.rule) == [.paths] && problems.first?.path == "Contents")
    }

    @Test func `content of another product is refused`() {
        let problems = problems(.init(productID: ProductID("com.example.other")))
        #expect(problems.map(\.rule) == [.product])
        #expect(problems.first?.path == "ContentInfo.plist")
        #expect(problems.first?.advice.contains("com.example.other") == true)
    }

    @Test(arguments: ["1.0", "1", "1.0.0", "1.1", "2", "10"])
    func `a version that is not newer is refused`(_ version: String) {
        let problems = problems(.init(newerThan: ContentVersion(version)))
        #expect(problems.map(\.rule) == [.version])
        #expect(problems.first?.advice.contains("not newer than \(version)") == true)
    }

    @Test(arguments: ["0.9", "0.9.9", "0"])
    func `a newer version is taken`(_ version: String) {
        #expect(problems(.init(newerThan: ContentVersion(version))).isEmpty)
    }

    @Test(arguments: ["chapter.zip", "chapter", ".pkg", "chapter.pkg.txt", ""])
    func `a file that is not named as a package is refused`(_ name: String) {
        #expect(problems(.init(fileName: name)).map(\.rule) == [.fileName])
    }

    @Test func `all that is not as expected is told with what breaks the rules`() {
        let package = HandmadePackage(contents: [HandmadePackage.file("x", "#!")])
        let problems = problems(
            .init(
                productID: ProductID("com.example.other"), newerThan: ContentVersion("3"),
                fileName: "a.zip"), of: package)
        #expect(Set(problems.map(\.rule)) == [.fileName, .executables, .product, .version])
    }

    @Test func `a name is wrong even where nothing else can be read`() {
        let reader = PackageReader(bytes: [1, 2, 3], expectation: .init(fileName: "a.zip"))
        let error = #expect(throws: PackageError.self) { try reader.summary() }
        #expect(error?.problems.map(\.rule) == [.fileName, .readable])
    }
}
