import StoreCore
import Testing

@Suite struct NetworkAddressTests {
    @Test(arguments: [
        ("8.8.8.8", NetworkAddress.Kind.global), ("1.1.1.1", .global), ("9.255.255.255", .global),
        ("0.0.0.0", .unspecified), ("0.1.2.3", .reserved), ("10.0.0.0", .privateNetwork),
        ("10.255.255.255", .privateNetwork), ("11.0.0.0", .global), ("100.63.255.255", .global),
        ("100.64.0.0", .shared), ("100.127.255.255", .shared), ("100.128.0.0", .global),
        ("127.0.0.0", .loopback), ("127.255.255.255", .loopback), ("128.0.0.1", .global),
        ("169.253.255.255", .global), ("169.254.169.254", .linkLocal), ("172.15.255.255", .global),
        ("172.16.0.0", .privateNetwork), ("172.31.255.255", .privateNetwork),
        ("172.32.0.0", .global), ("192.0.0.170", .reserved), ("192.0.2.7", .documentation),
        ("192.88.99.1", .reserved), ("192.168.0.0", .privateNetwork), ("192.169.0.0", .global),
        ("198.17.255.255", .global), ("198.18.0.0", .reserved), ("198.19.255.255", .reserved),
        ("198.20.0.0", .global), ("198.51.100.1", .documentation),
        ("203.0.113.1", .documentation), ("223.255.255.255", .global), ("224.0.0.0", .multicast),
        ("239.255.255.255", .multicast), ("240.0.0.0", .reserved), ("255.255.255.255", .reserved),
        ("2606:4700::1", .global), ("2a00:1450::1", .global), ("::", .unspecified),
        ("::1", .loopback), ("::2", .reserved), ("::127.0.0.1", .reserved),
        ("::ffff:8.8.8.8", .global), ("::ffff:127.0.0.1", .loopback),
        ("::ffff:192.168.1.1", .privateNetwork), ("64:ff9b::8.8.8.8", .global),
        ("64:ff9b::10.0.0.1", .privateNetwork), ("64:ff9b:1::8.8.8.8", .reserved),
        ("100::1", .reserved), ("2001::1", .reserved), ("2001:1ff:ffff::", .reserved),
        ("2001:200::1", .global), ("2001:db8::1", .documentation), ("2002:7f00:1::", .reserved),
        ("3fff:fff::1", .documentation), ("3ffe::1", .global), ("4000::1", .reserved),
        ("fbff::1", .reserved), ("fc00::1", .privateNetwork), ("fdff::1", .privateNetwork),
        ("fe7f::1", .reserved), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
        ("fec0::1", .privateNetwork), ("ff02::1", .multicast),
    ])
    func `an address is of its registry's kind`(text: String, kind: NetworkAddress.Kind) throws {
        #expect(try #require(NetworkAddress(text: text)).kind == kind)
    }

    @Test(arguments: [
        ("127.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("2130706433", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"), ("0", "0.0.0.0"), ("[::1]", "::1"),
        ("fe80::1%eth0", "fe80::1"),
    ])
    func `whatever a resolver takes for an address is one`(text: String, same: String) throws {
        let address = try #require(NetworkAddress(text: text))
        #expect(address == NetworkAddress(text: same))
    }

    @Test(arguments: ["", "example.com", "1.2.3.4.5", "256.1.1.1", "::g", "1.2.3.4 x", "[", "[]"])
    func `a name is no address`(text: String) {
        #expect(NetworkAddress(text: text) == nil)
    }

    @Test func `an address has 4 or 16 bytes`() {
        for count in 0...20 {
            let address = NetworkAddress(bytes: [UInt8](repeating: 1, count: count))
            #expect((address != nil) == (count == 4 || count == 16))
        }
    }
}
