import StoreHTTP
import Testing

@Suite struct ClientAddressTests {
    private func address(_ peer: String?, _ forwarded: String? = nil) -> String? {
        var request = HTTPRequest(method: "GET", path: "/", peer: peer)
        request.headers["X-Forwarded-For"] = forwarded
        return request.clientAddress
    }

    @Test func `a proxy on this machine is believed, and its last word only`() {
        #expect(address("127.0.0.1", "192.0.2.1") == "192.0.2.1")
        #expect(address("::1", "10.0.0.1, 192.0.2.1") == "192.0.2.1")
        #expect(address("127.0.0.1") == "127.0.0.1")
    }

    @Test func `of several header fields the proxy's is the last`() {
        var request = HTTPRequest(method: "GET", path: "/", peer: "127.0.0.1")
        request.headers.append("X-Forwarded-For", "198.51.100.7")
        request.headers.append("x-forwarded-for", "192.0.2.1")
        #expect(request.clientAddress == "192.0.2.1")
    }

    @Test func `others say what they like, and are not believed`() {
        #expect(address("192.0.2.9", "192.0.2.1") == "192.0.2.9")
        #expect(address(nil, "192.0.2.1") == nil)
    }

    @Test(arguments: ["", " ", "unknown", "192.0.2.1:80", "1.2.3", "::1::"])
    func `what is no address is not taken for one`(text: String) {
        #expect(address("127.0.0.1", text) == "127.0.0.1")
    }

    @Test func `whoever has a network has all its addresses`() {
        #expect(address("127.0.0.1", "2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::")
        #expect(address("127.0.0.1", "2001:db8:1:2:ffff::1") == "2001:db8:1:2::")
        #expect(address("127.0.0.1", "::ffff:192.0.2.1") == "192.0.2.1")
    }
}
