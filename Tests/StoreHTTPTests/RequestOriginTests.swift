import StoreHTTP
import Testing

@Suite struct RequestOriginTests {
    private func request(_ headers: HTTPHeaders) -> HTTPRequest {
        HTTPRequest(method: "GET", path: "/", headers: headers, peer: "127.0.0.1")
    }

    @Test(
        arguments: [
            ("store.example", "http://store.example"), ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("[::1]:8080", "http://[::1]:8080"), ("", "http://localhost"),
            ("evil.example/a?b", "http://localhost"), ("höst.example", "http://localhost"),
            ("a b", "http://localhost"), ("user@host", "http://localhost"),
            (String(repeating: "a", count: 256), "http://localhost"),
        ])
    func `links lead to the host that was asked, where it is one`(host: String, origin: String) {
        #expect(request(["Host": host]).origin == origin)
    }

    @Test(
        arguments: [
            ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("[::1]:8080", "http://[::1]:8080"),
            ("192.0.2.7", "http://192.0.2.7"), ("localhost:80", "http://localhost:80"),
            ("store.example", nil), ("127.0.0.1.evil.example", nil),
        ] as [(String, String?)])
    func `a name is trusted where the operator says it`(host: String, origin: String?) {
        var request = request(["Host": host])
        #expect(request.trustedOrigin(isSecure: false) == origin)
        request.statedOrigin = "https://shop.example"
        #expect(request.trustedOrigin(isSecure: false) == "https://shop.example")
    }

    @Test func `the proxy says whether there is TLS, or who knows better`() {
        let forwarded = request(["Host": "store.example", "X-Forwarded-Proto": "HTTPS"])
        #expect(forwarded.origin == "https://store.example")
        #expect(forwarded.origin(isSecure: false) == "http://store.example")
        let plain = request(["Host": "store.example", "X-Forwarded-Proto": "http"])
        #expect(plain.origin == "http://store.example")
        #expect(request([:]).origin == "http://localhost")
    }

    @Test func `of a list of proxies the nearest one is believed`() {
        let list = request(["Host": "a", "X-Forwarded-Proto": "https, http"])
        #expect(list.origin == "http://a")
        var twice = request(["Host": "a", "X-Forwarded-Proto": "http"])
        twice.headers.append("x-forwarded-proto", "https")
        #expect(twice.origin == "https://a")
        #expect(
            request(["Host": "a", "X-Forwarded-Host": "evil, shop.example:444"]).origin
                == "http://shop.example:444")
        #expect(
            request(["Host": "a", "X-Forwarded-Host": "evil/?"]).origin == "http://localhost")
    }

    @Test(arguments: ["192.0.2.1", "::2", nil])
    func `nobody else is believed about scheme or host`(peer: String?) throws {
        var request = request([
            "Host": "a", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example",
        ])
        request.peer = peer.flatMap { IPAddress($0) }
        #expect(request.origin == "http://a")
        #expect(!request.isSecure)
        request.proxies = try #require(AddressSet("192.0.2.0/24,::2"))
        #expect(request.origin == (peer == nil ? "http://a" : "https://evil.example"))
    }
}
