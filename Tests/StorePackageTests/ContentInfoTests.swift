import Foundation
import StorePackage
import StorePackageSamples
import StoreTestSupport
import Testing

@Suite("ContentInfo.plist")
struct ContentInfoTests {
    private static func xml(_ keys: String) -> String {
        #"<?xml version="1.0"?><plist version="1.0"><dict>\#(keys)</dict></plist>"#
    }

    private static let version = "<key>ContentVersion</key><string>1.2</string>"
    private static let product = "<key>IAPProductIdentifier</key><string>com.example.a</string>"

    private func advice(_ text: String) -> [String] {
        problems { _ = try ContentInfo(propertyList: Data(text.utf8)) }.map { problem in
            #expect(problem.rule == .information)
            #expect(problem.path == ContentInfo.fileName)
            return problem.advice
        }
    }

    @Test func `version and product are read, keys of the app's own are left alone`() throws {
        let text = Self.xml(Self.version + Self.product + "<key>Mine</key><integer>3</integer>")
        let info = try ContentInfo(propertyList: Data(text.utf8))
        #expect(info.version.text == "1.2")
        #expect(info.productID.text == "com.example.a")
    }

    @Test func `the binary form is read`() throws {
        let data = try PropertyListSerialization.data(
            fromPropertyList: ["ContentVersion": "1.2", "IAPProductIdentifier": "a"],
            format: .binary, options: 0)
        #expect(try ContentInfo(propertyList: data).productID.text == "a")
    }

    @Test(arguments: [
        "", "x", "{", "<plist version=\"1.0\"><array/></plist>",
        "<plist version=\"1.0\"><string>x</string></plist>", "\u{0}\u{1}",
    ])
    func `anything but a dictionary is refused with what to write`(_ text: String) {
        let advice = advice(text)
        #expect(advice.count == 1)
        #expect(advice.first?.hasPrefix("it is not a property list with a dictionary") == true)
    }

    private static let malformed: [(String, String)] = [
        (product, "the key ContentVersion is missing or not a string"),
        (version, "the key IAPProductIdentifier is missing or not a string"),
        (product + "<key>ContentVersion</key><real>1.2</real>", "the key ContentVersion is"),
        (product + "<key>ContentVersion</key><string>1.0b</string>", "ContentVersion is \"1.0b\""),
        (
            version + "<key>IAPProductIdentifier</key><string>a b</string>",
            "IAPProductIdentifier is \"a b\""
        ),
        (product + "<key>contentVersion</key><string>1</string>", "the key ContentVersion is miss"),
    ]

    @Test(arguments: malformed)
    func `a key that is missing or malformed is named`(_ keys: String, _ message: String) {
        let advice = advice(Self.xml(keys))
        #expect(advice.count == 1)
        #expect(advice.first?.hasPrefix(message) == true, "\(advice)")
    }

    @Test func `both keys are reported at once`() {
        #expect(advice(Self.xml("")).count == 2)
    }

    @Test func `a package without it is refused`() throws {
        let problems = try problems(of: HandmadePackage(contents: [], information: nil))
        #expect(problems.map(\.rule) == [.information])
        #expect(problems.map(\.path) == [ContentInfo.fileName])
    }

    @Test func `a link or folder of its name is not it`() throws {
        for entry in [
            HandmadePackage.link(ContentInfo.fileName, to: "Contents/x"),
            HandmadePackage.folder(ContentInfo.fileName),
        ] {
            let problems = try problems(
                of: HandmadePackage(contents: [], information: entry))
            #expect(problems.map(\.rule).allSatisfy { $0 == .information })
            #expect(problems.first?.advice == "it must be a file")
        }
    }

    @Test func `one that is malformed in a package is reported`() throws {
        let entry = HandmadePackage.file(ContentInfo.fileName, "no property list")
        let problems = try problems(of: HandmadePackage(contents: [], information: entry))
        #expect(problems.map(\.rule) == [.information])
    }

    @Test func `one of more than a megabyte is refused unread`() throws {
        let text = String(repeating: " ", count: ContentInfo.sizeLimit + 1)
        let entry = HandmadePackage.file(ContentInfo.fileName, text)
        let problems = try problems(of: HandmadePackage(contents: [], information: entry))
        #expect(problems.map(\.rule) == [.limits])
    }
}
