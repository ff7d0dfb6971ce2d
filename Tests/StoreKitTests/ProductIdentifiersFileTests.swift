import Foundation
@testable import StoreKit
import StoreTestSupport
import Testing

@Suite struct ProductIdentifierFiles {
    @Test func `a built-in list is read in its order`() throws {
        let bundle = try Self.bundle(
            "<array><string>com.example.b</string><string>com.example.a</string>"
                + "<string>com.example.b</string></array>")
        let identifiers = try OpenStoreProductIdentifiers.builtIn(in: bundle.bundle)
        #expect(identifiers == ["com.example.b", "com.example.a"])
    }

    @Test func `a missing list is named`() throws {
        let bundle = try Self.bundle("<array/>")
        let error = #expect(throws: OpenStoreProductIdentifiersError.self) {
            try OpenStoreProductIdentifiers.builtIn(named: "shop", in: bundle.bundle)
        }
        #expect(error?.code == .missingFile)
        #expect(error?.description.contains("shop.plist") == true)
    }

    @Test(arguments: [
        ("<dict><key>ids</key><array/></dict>", #"a dictionary with the key "ids""#),
        ("<string>com.example.a</string>", #"the string "com.example.a""#),
        (
            "<array><string>com.example.a</string><integer>7</integer></array>",
            "[1] is the number 7"
        ),
        ("<array><true/></array>", "[0] is true"),
        ("<array><date>2026-01-01T00:00:00Z</date></array>", "[0] is a date"),
        ("<array><data>AAAA</data></array>", "[0] is data"),
        ("<array><string></string></array>", "[0] is an empty string"),
    ])
    func `a malformed built-in list names the entry`(_ content: String, _ text: String) throws {
        let bundle = try Self.bundle(content)
        let error = #expect(throws: OpenStoreProductIdentifiersError.self) {
            try OpenStoreProductIdentifiers.builtIn(in: bundle.bundle)
        }
        #expect(error?.code == .malformed)
        #expect(error?.description.contains("product_ids.plist") == true)
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("[\"a\",\n\"b\"\n\"c\"]", "is not JSON; line 3 is broken"),
        ("", "is not JSON"),
        ("\"a\"", #"it holds the string "a""#),
        (#"{"products":[]}"#, #"a dictionary with the key "products""#),
        (
            #"["a", 1, null, ["b"], {}, true, 0, 1.5]"#,
            "[1] is the number 1, not a product identifier; [2] is null"
        ),
        (#"["a", null]"#, "[1] is null"),
        (#"["a", ["b"]]"#, "[1] is an array"),
        (#"["a", {}]"#, "[1] is an empty dictionary"),
        (#"["a", false]"#, "[1] is false"),
        (#"["com.example.a b"]"#, #"[0] is the string "com.example.a b""#),
        (#"["..\/..\/etc"]"#, "[0] is the string"),
        (#"[1,1,1,1,1,1,1]"#, "and 2 more"),
    ])
    func `a malformed list of a server names the entry`(_ json: String, _ text: String) {
        let error = #expect(throws: OpenStoreProductIdentifiersError.self) {
            try ProductIdentifierFile(json: Data(json.utf8), source: "products_v1.json")
        }
        #expect(error?.code == .malformed)
        #expect(error?.description.contains("products_v1.json") == true)
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
    }

    @Test func `more than is ever sold is not read`() throws {
        let most = ProductIdentifierFile.entryLimit
        func json(_ count: Int) -> Data {
            Data("[\((0..<count).map { "\"id\($0)\"" }.joined(separator: ","))]".utf8)
        }
        #expect(try ProductIdentifierFile(json: json(most), source: "").identifiers.count == most)
        let error = #expect(throws: OpenStoreProductIdentifiersError.self) {
            try ProductIdentifierFile(json: json(most + 1), source: "products_v1.json")
        }
        #expect(error?.code == .tooLarge)
        #expect(throws: OpenStoreProductIdentifiersError(.tooLarge, "")) {
            try ProductIdentifierFile(
                json: Data(count: ProductIdentifierFile.byteLimit + 1), source: "products_v1.json")
        }
    }

    /// A bundle whose only resource is `product_ids.plist`.
    private static func bundle(
        _ content: String
    ) throws -> (bundle: Bundle, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        try folder.write(
            "product_ids.plist", #"<?xml version="1.0"?><plist version="1.0">\#(content)</plist>"#)
        return (try #require(Bundle(path: folder.url.path)), folder)
    }
}
