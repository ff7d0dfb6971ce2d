import Foundation
import StoreHTTP
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreAPI

/// Answers that a page includes as a script.
@Suite struct CallbackTests {
    static let right = [
        "wsSearchCB", "test_callback", "jQuery1_2", "$", "_", "a.b.c", "handlers[3]", "a[0].b[12]",
        "classic", String(repeating: "a", count: 128),
    ]

    static let wrong = [
        "   ", "%$%%", "a b", "1a", "a.", ".a", "a..b", "a[", "a[]", "a[b]", "a[0", "a]",
        "alert(1)",
        "a;b", "a=b", "a/**/", "<script>", "a\"", "a'", "a`", "a\\u0041", "ä", "a\u{2028}", "a\n",
        "a\u{0}b", "if", "a.delete", "function", "new", "a-b", "a,b", "{}", "[0]", "()", "a+b",
        String(repeating: "a", count: 129),
    ]

    @Test func `the function is called with the answer`() async throws {
        let shop = try await SearchShop()
        let plain = try await shop.get("/search", [("term", "chess")])
        for name in Self.right {
            let response = try await shop.get("/search", [("term", "chess"), ("callback", name)])
            #expect(response.status == 200, "\(name)")
            #expect(response.headers["Content-Type"] == "text/javascript; charset=utf-8")
            #expect(response.headers["X-Content-Type-Options"] == "nosniff")
            #expect(response.text == "/**/\(name)(" + plain.text + ");\n")
        }
    }

    @Test(arguments: wrong)
    func `what is no path of identifiers is none`(name: String) {
        #expect(CallbackName(name) == nil)
    }

    @Test func `a wrong name is refused everywhere`() async throws {
        let shop = try await SearchShop()
        for name in Self.wrong where name != "a\u{0}b" {
            for path in ["/search", "/lookup", "/us/rss/topsongs/json"] {
                #expect(
                    try await shop.refusal(path, [("term", "chess"), ("callback", name)])
                        == "400 [callback]", "\(path) \(name)")
            }
        }
    }

    @Test(arguments: [
        ("same-origin", "script", 403), ("same-origin", "serviceworker", 403),
        ("cross-site", "script", 200), ("same-origin", "empty", 200),
    ])
    func `no page of the store runs a callback`(site: String, kind: String, status: Int)
        async throws
    {
        let shop = try await SearchShop()
        let headers: HTTPHeaders = ["Sec-Fetch-Site": site, "Sec-Fetch-Dest": kind]
        for path in ["/search", "/us/rss/topsongs/json"] {
            let response = try await shop.get(
                path, [("term", "chess"), ("callback", "show")], headers: headers)
            #expect(response.status == status)
        }
    }

    @Test func `a feed can be included too, and XML can't`() async throws {
        let shop = try await SearchShop()
        let json = try await shop.get("/us/rss/topsongs/json", [("callback", "show")])
        #expect(json.text.hasPrefix("/**/show({") && json.text.hasSuffix("});\n"))
        let xml = try await shop.get("/us/rss/topsongs/xml", [("callback", "show")])
        #expect(xml.text.hasPrefix("<?xml"))
    }
}
