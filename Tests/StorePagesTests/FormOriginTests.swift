import StoreHTTP
import Testing

@testable import StorePages

@Suite struct FormOriginTests {
    private func isOwn(_ headers: HTTPHeaders, from peer: String = "127.0.0.1") -> Bool {
        HTTPRequest(
            method: "POST", path: "/", headers: headers, peer: peer
        ).isOwnForm
    }

    @Test func `what a browser says about itself decides`() {
        #expect(isOwn(["Sec-Fetch-Site": "same-origin"]))
        #expect(
            !isOwn([
                "Sec-Fetch-Site": "cross-site", "Host": "shop.example",
                "Origin": "https://shop.example",
            ]))
    }

    @Test func `a form comes from the host that it is sent to`() {
        #expect(isOwn(["Host": "shop.example", "Origin": "https://Shop.example"]))
        #expect(!isOwn(["Host": "shop.example", "Origin": "https://shop.example:8443"]))
        #expect(!isOwn(["Host": "shop.example", "Origin": "https://evil.example"]))
        #expect(!isOwn(["Host": "shop.example", "Origin": "null"]))
        #expect(!isOwn(["Host": "shop.example"]))
        #expect(!isOwn(["Origin": "http://localhost"]))
    }

    @Test func `behind a proxy it is the host that the proxy names`() {
        let headers: HTTPHeaders = [
            "Host": "backend", "X-Forwarded-Host": "shop.example:8443",
            "Origin": "https://shop.example:8443",
        ]
        #expect(isOwn(headers))
        #expect(!isOwn(headers, from: "192.0.2.1"))
    }
}
