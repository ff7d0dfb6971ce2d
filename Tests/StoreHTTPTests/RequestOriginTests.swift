import StoreHTTP
import Testing

@Suite struct RequestOriginTests {
    private func request(_ headers: HTTPHeaders) -> HTTPRequest {
        HTTPRequest(method: "GET", path: "/", headers: headers)
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

    @Test func `the proxy says whether there is TLS, or who knows better`() {
        let forwarded = request(["Host": "store.example", "X-Forwarded-Proto": "HTTPS"])
        #expect(forwarded.origin == "https://store.example")
        #expect(forwarded.origin(isSecure: false) == "http://store.example")
        let plain = request(["Host": "store.example", "X-Forwarded-Proto": "http"])
        #expect(plain.origin == "http://store.example")
        #expect(request([:]).origin == "http://localhost")
    }
}
