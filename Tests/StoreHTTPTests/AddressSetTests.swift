import StoreHTTP
import Testing

@Suite struct AddressSetTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("192.0.2.7", "192.0.2.7", true),
        ("192.0.2.7", "192.0.2.8", false), ("0.0.0.0/0", "203.0.113.5", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
        ("2001:db8:0:0:8000::/65", "2001:db8::9000:0:0:1", true),
        ("2001:db8:0:0:8000::/65", "2001:db8::1", false),
        ("::ffff:10.0.0.0/104", "10.9.9.9", true), ("::1", "::1", true), ("::1", "::2", false),
        ("192.0.2.1, 10.0.0.0/8", "10.0.0.1", true), ("127.0.0.0/8,::1", "127.9.9.9", true),
        ("192.0.2.128/25", "192.0.2.200", true), ("192.0.2.128/25", "192.0.2.100", false),
    ])
    func `a network has its addresses and no others`(
        _ text: String, _ address: String, _ isIn: Bool
    ) throws {
        let set = try #require(AddressSet(text))
        let address = try #require(IPAddress(address))
        #expect(set.contains(address) == isIn)
    }

    @Test(arguments: [
        "", ",", "10.0.0.0/8,", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/+8",
        "10.0.0.0/8/8", "10.1.0.0/8", "10.0.0", "example.com", "::/129", "2001:db8::1/32",
        "[::1]", "10.0.0.0 /8", "1.2.3.4:80", "10.0.0.0/٨", "none",
    ])
    func `what is no network is refused`(_ text: String) {
        #expect(AddressSet(text) == nil)
    }

    @Test func `addresses are told apart, and spelled in one way`() throws {
        #expect(IPAddress("::ffff:192.0.2.1") == IPAddress("192.0.2.1"))
        #expect(IPAddress("192.0.2.1")?.text == "192.0.2.1")
        #expect(IPAddress("2001:DB8:0:0::1")?.text == "2001:db8::1")
        #expect(IPAddress("2001:db8:1:2:3:4:5:6")?.network.text == "2001:db8:1:2::")
        #expect(IPAddress("::1")?.network.text == "::1")
        #expect(IPAddress("192.0.2.1")?.network.text == "192.0.2.1")
        #expect(IPAddress("192.0.2.1.") == nil)
        #expect(IPAddress("") == nil)
    }
}
