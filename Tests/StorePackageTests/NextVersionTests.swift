import Foundation
import StorePackage
import StorePackageSamples
import StoreTestSupport
import Testing

@Suite("Next version")
struct NextVersionTests {
    private func raised(_ text: String) throws -> String {
        String(
            decoding: try ContentInfo.withNextVersion(propertyList: Data(text.utf8)), as: UTF8.self)
    }

    @Test(arguments: [("1.0", "1.1"), ("1.9", "1.10"), ("3", "4"), ("1.2.3", "1.2.4"), ("0", "1")])
    func `the last number is raised`(_ before: String, _ after: String) throws {
        let text = SampleShop.contentInfo("com.example.a", version: before)
        #expect(
            try raised(text)
                == text.replacingOccurrences(
                    of: "<string>\(before)</string>", with: "<string>\(after)</string>"))
    }

    @Test func `comments, order and other keys of XML stay as they are`() throws {
        let text = """
            <?xml version="1.0"?>
            <!-- mine -->
            <plist version="1.0"><dict>
              <key>Z</key> <string>1.0</string>
              <key> ContentVersion </key>
              <string>1.0</string> <!-- raised by hand -->
              <key>IAPProductIdentifier</key><string>com.example.a</string>
              <key>A</key><array><integer>1</integer></array>
            </dict></plist>
            """
            .replacingOccurrences(of: " ContentVersion ", with: "ContentVersion")
        let expected = text.replacingOccurrences(
            of: "<string>1.0</string> <!--", with: "<string>1.1</string> <!--")
        #expect(try raised(text) == expected)
    }

    @Test func `binary stays binary, with all keys`() throws {
        let keys: [String: Any] = [
            "ContentVersion": "1.0", "IAPProductIdentifier": "com.example.a", "Mine": [1, 2],
        ]
        let data = try PropertyListSerialization.data(
            fromPropertyList: keys, format: .binary, options: 0)
        let after = try ContentInfo.withNextVersion(propertyList: data)
        var format = PropertyListSerialization.PropertyListFormat.xml
        let list = try PropertyListSerialization.propertyList(from: after, format: &format)
        #expect(format == .binary)
        var expected = keys
        expected["ContentVersion"] = "1.1"
        #expect(NSDictionary(dictionary: expected).isEqual(list))
    }

    @Test func `a version that can't grow is refused`() throws {
        let text = SampleShop.contentInfo("com.example.a", version: "1.999999999")
        #expect(problems { _ = try raised(text) }.map(\.rule) == [.version])
    }

    @Test func `the folder's version is raised when the package is whole`() throws {
        let sample = try SampleFolder()
        let file = sample.source.appendingPathComponent("ContentInfo.plist")
        let built = try PackageBuilder(folder: sample.source).buildNextVersion(to: sample.package)
        #expect(built.info.version.text == "1.1")
        #expect(try sample.read().info.version.text == "1.1")
        #expect(
            try ContentInfo(propertyList: Data(contentsOf: file)).version.text == "1.1")
    }

    @Test func `where the build fails the folder is as before`() throws {
        let sample = try SampleFolder()
        let file = sample.source.appendingPathComponent("ContentInfo.plist")
        let before = try Data(contentsOf: file)
        let builder = PackageBuilder(folder: sample.source)
        // A folder in the package's place can't be replaced by it.
        try FileManager.default.createDirectory(
            at: sample.package.appendingPathComponent("x"), withIntermediateDirectories: true)
        #expect(problems { try builder.buildNextVersion(to: sample.package) }.count == 1)
        #expect(try Data(contentsOf: file) == before)
        try sample.write("Contents/install", "#!/bin/sh")
        #expect(
            problems { try builder.buildNextVersion(to: sample.folder.file("b.pkg")) }.map(\.rule)
                == [.executables])
        #expect(try Data(contentsOf: file) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.url.path)
        #expect(names.sorted() == ["chapter.pkg", "source"])
    }
}
