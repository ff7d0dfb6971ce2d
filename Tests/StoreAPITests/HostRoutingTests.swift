import StoreAPI
import StoreHTTP
import StoreModel
import StoreServer
import StoreTestSupport
import Testing

@Suite struct HostRoutingTests {
    private static let direct = HostRouting(.direct)
    private static let own = ["http://127.0.0.1:8080", "https://store.example"]

    /// The path that a request leads to, or the status of its answer.
    private func lead(_ routing: HostRouting, _ target: String, _ host: String?) -> String {
        switch routing(target, host) {
        case .path(let path): path
        case .answered(let response, _): String(response.status)
        }
    }

    @Test func `every name of the certificate has its place here`() {
        let routing = HostRouting(.tunnel, own: ["https://store.example"])
        for name in InterceptedHosts.names(of: ["https://store.example"]) {
            let host = "\(name)" == "::1" ? "[::1]" : "\(name)"
            #expect(lead(routing, "/x", host).hasSuffix("/x"), "\(name)")
        }
    }

    @Test(
        arguments: [
            ("api.storekit.apple.com", "/inApps/v1/history/7", "/inApps/v1/history/7"),
            ("api.storekit.itunes.apple.com", "/inApps/v2/history/7", "/inApps/v2/history/7"),
            (
                "api.storekit-sandbox.apple.com", "/inApps/v1/lookup/A",
                "/sandbox/inApps/v1/lookup/A"
            ),
            ("api.storekit-sandbox.itunes.apple.com", "/inApps/v1/x", "/sandbox/inApps/v1/x"),
            ("local-testing-base-url", "/inApps/v1/x", "/sandbox/inApps/v1/x"),
            ("buy.itunes.apple.com", "/verifyReceipt", "/verifyReceipt"),
            ("sandbox.itunes.apple.com", "/verifyReceipt", "/sandbox/verifyReceipt"),
            ("itunes.apple.com", "/us/lookup", "/us/lookup"),
            ("itunes.apple.com", "/us/app/book/id1", "/us/app/book/id1"),
            ("search.itunes.apple.com", "/search", "/search"),
            (
                "ax.itunes.apple.com", "/WebObjects/MZStoreServices.woa/wa/wsLookup",
                "/WebObjects/MZStoreServices.woa/wa/wsLookup"
            ),
            ("api.appstoreconnect.apple.com", "/v1/apps", "/connect/v1/apps"),
            ("appstoreconnect.apple.com", "/apps/1/products", "/connect/apps/1/products"),
            ("feeds.itunes.apple.com", "/epf/v5/current/", "/feeds/epf/v5/current/"),
        ] as [(String, String, String)])
    func `a name's paths lie below its place`(host: String, path: String, place: String) {
        for host in [
            host, "\(host):443", "\(host).", host.uppercased(), "\(host.uppercased()).:80",
        ] {
            #expect(lead(Self.direct, path, host) == place)
            #expect(lead(HostRouting(.tunnel), path, host) == place)
            #expect(lead(HostRouting(.proxy), "http://\(host)\(path)", "elsewhere") == place)
        }
    }

    /// Answers of the store have its own paths, and clients follow them to the same host.
    @Test(
        arguments: [
            ("api.appstoreconnect.apple.com", "/connect/v1/apps"),
            ("feeds.itunes.apple.com", "/feeds/epf/v5/"),
            ("sandbox.itunes.apple.com", "/sandbox/verifyReceipt"),
            ("sandbox.itunes.apple.com", "*"),
        ] as [(String, String)])
    func `addresses that the store has told lead there`(host: String, path: String) {
        #expect(lead(Self.direct, path, host) == path)
    }

    @Test(arguments: AppleHost.all)
    func `the root of every name says who is there`(host: AppleHost) throws {
        for target in ["/", "https://\(host.name)", "http://\(host.name)/"] {
            guard case .answered(let response, "/") = Self.direct(target, host.name) else {
                Issue.record("\(target) is not answered")
                continue
            }
            #expect(response.status == 200)
            #expect(response.text.contains(#""host":"\#(host.name)""#), "\(response.text)")
            #expect(
                response.text.contains(#""environment":"\#(host.environment.rawValue)""#))
        }
    }

    @Test(arguments: [
        "apple.com", "www.apple.com", "music.apple.com:443", "gs.apple.com.", "API.apple.com",
        "evil.api.storekit.apple.com", ".apple.com",
    ])
    func `another name of Apple's is refused on every way`(host: String) {
        #expect(lead(Self.direct, "/us/search", host) == "421")
        #expect(lead(HostRouting(.tunnel), "/", host) == "421")
        #expect(lead(HostRouting(.proxy), "http://\(host)/", host) == "403")
    }

    @Test(
        arguments: [
            "store.example", "localhost:8080", "127.0.0.1", "[::1]:8080", "apple.com.example",
            "pineapple.com", "", nil, "storekit", "api.storekit.apple.com@store.example",
            "api.storekit.apple.com/x",
        ] as [String?])
    func `the store's own names, and whatever else, leave paths as they are`(host: String?) {
        for path in ["/", "/sandbox/search", "/inApps/v1/x", "*", ""] {
            #expect(lead(Self.direct, path, host) == path)
        }
    }

    @Test(
        arguments: [
            ("localhost:4711", "/a"), ("127.0.0.1", "/a"), ("[::1]:1", "/a"),
            ("127.0.0.1:8080", "/a"),
            ("store.example", "/a"), ("Store.Example:443", "/a"), ("example.org", "421"),
            ("store.example.org", "421"), ("", "421"), (nil, "421"), ("10.0.0.1", "421"),
        ] as [(String?, String)])
    func `a tunnel leads to the names of the store only`(host: String?, place: String) {
        #expect(lead(HostRouting(.tunnel, own: Self.own), "/a", host) == place)
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:8080/ocsp", "/ocsp"), ("HTTP://127.0.0.1:8080/ocsp", "/ocsp"),
            ("http://127.0.0.1:9090/ocsp", "403"), ("http://localhost/", "403"),
            ("http://example.org/", "403"), ("http://store.example/a", "/a"), ("/ocsp", "403"),
            ("/", "403"), ("", "403"), ("*", "403"), ("ftp://store.example/a", "403"),
            ("http:///a", "403"), ("://", "403"), ("http://", "403"),
            ("http://store.example@example.org/", "403"), ("http://itunes.apple.com", "200"),
            ("https://itunes.apple.com/lookup", "/lookup"),
        ] as [(String, String)])
    func `a proxy leads to the store's own addresses, port and all`(target: String, place: String) {
        #expect(lead(HostRouting(.proxy, own: Self.own), target, "127.0.0.1:8080") == place)
    }

    @Test func `whoever is refused is told what there is`() throws {
        guard case .answered(let response, _) = Self.direct("/", "gs.apple.com") else {
            Issue.record("answered by a path")
            return
        }
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.text.contains("does not answer for gs.apple.com"))
        #expect(response.text.contains("buy.itunes.apple.com"))
        let long = String(repeating: "a", count: 60_000) + ".apple.com"
        if case .answered(let response, _) = Self.direct("/", long) {
            #expect(response.data.count < 2000)
        }
    }
}
