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
        // To grapheme clusters there is no comma in it.
        #expect(address("::1", "\u{600}, 192.0.2.1") == "192.0.2.1")
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

    @Test func `behind several trusted proxies it is the last address that is none of theirs`()
        throws
    {
        var request = HTTPRequest(method: "GET", path: "/", peer: "10.0.0.9")
        request.proxies = try #require(AddressSet("10.0.0.0/8,2001:db8:1:2:3::/80"))
        func address(_ forwarded: String) -> String? {
            request.headers["X-Forwarded-For"] = forwarded
            return request.clientAddress
        }
        #expect(address("198.51.100.1, 192.0.2.1, 10.0.0.2, 10.0.0.1") == "192.0.2.1")
        #expect(address("192.0.2.1, 2001:db8:1:2:3::1, 10.0.0.1") == "192.0.2.1")
        // Another address of the same half of IPv6 is none of theirs.
        #expect(address("192.0.2.1, 2001:db8:1:2:4::1, 10.0.0.1") == "2001:db8:1:2::")
        #expect(address("10.0.0.3, 10.0.0.2") == "10.0.0.3")
        #expect(address("192.0.2.1, nonsense, 10.0.0.2") == "10.0.0.2")
        #expect(address("192.0.2.1, ") == "10.0.0.9")
        request.headers = [:]
        request.headers.append("X-Forwarded-For", "192.0.2.1")
        request.headers.append("X-Forwarded-For", "192.0.2.2, 10.0.0.2")
        #expect(request.clientAddress == "192.0.2.2")
        request.proxies = .none
        #expect(request.clientAddress == "10.0.0.9")
        // A proxy on this machine is one of those that are named, or none.
        request.peer = IPAddress("127.0.0.1")
        #expect(request.clientAddress == "127.0.0.1")
    }
}
