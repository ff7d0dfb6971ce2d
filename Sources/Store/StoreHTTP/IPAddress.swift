import CStoreHTTP
import Foundation

/// An IPv4 or IPv6 address, without a port; one of IPv4 is the same whether it came as
/// `192.0.2.1` or as `::ffff:192.0.2.1`.
package struct IPAddress: Sendable, Hashable {
    /// The bytes in the order of the network, the first eight and the last eight; addresses of
    /// IPv4 as IPv6 maps them.
    let high: UInt64
    let low: UInt64

    private static let mapped: UInt64 = 0xFFFF << 32

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    private init(_ address: in_addr) {
        self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: address.s_addr)))
    }

    private init(_ address: in6_addr) {
        (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// - Parameter text: in numbers, IPv6 without brackets; nil for what is no address.
    package init?(_ text: String) {
        var ipv4 = in_addr()
        var ipv6 = in6_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(ipv4)
        } else if inet_pton(AF_INET6, text, &ipv6) == 1 {
            self.init(ipv6)
        } else {
            return nil
        }
    }

    /// Nil for addresses of another kind.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: self.init(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    package var isIPv4: Bool { high == 0 && low & ~0xFFFF_FFFF == Self.mapped }

    /// Whom limits count as one: an address of IPv4, and of IPv6 the network's half, because
    /// whoever has one address of it has all of them.
    package var network: IPAddress {
        isIPv4 || (high == 0 && low == 1) ? self : IPAddress(high: high, low: 0)
    }

    /// As RFC 5952 writes it; addresses of IPv4 with their dots.
    package var text: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            start.initialize(repeating: 0, count: buffer.count)
            if isIPv4 {
                var address = in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian)
                inet_ntop(AF_INET, &address, start, socklen_t(buffer.count))
            } else {
                var bytes = (high.bigEndian, low.bigEndian)
                inet_ntop(AF_INET6, &bytes, start, socklen_t(buffer.count))
            }
            return String(cString: start)
        }
    }

    /// The address with all but its first bits cleared, counted as of IPv6.
    fileprivate func prefix(_ bits: Int) -> IPAddress {
        func mask(_ bits: Int) -> UInt64 { bits <= 0 ? 0 : bits >= 64 ? .max : ~(.max >> bits) }
        return IPAddress(high: high & mask(bits), low: low & mask(bits - 64))
    }
}

/// Some addresses: whole networks, and single ones.
package struct AddressSet: Sendable, Hashable {
    private struct Network: Sendable, Hashable {
        let first: IPAddress
        /// Of IPv6, also where it is one of IPv4.
        let bits: Int
    }

    private var networks: [Network] = []

    /// No address.
    package static let none = AddressSet()
    /// This machine's own: 127.0.0.0/8 and ::1.
    package static let loopback: AddressSet = {
        guard let set = AddressSet("127.0.0.0/8,::1") else { preconditionFailure("two networks") }
        return set
    }()

    private init() {}

    /// - Parameter text: networks such as `10.0.0.0/8` or `2001:db8::/32`, and addresses, with
    ///   commas between them; nil where one is neither, or has bits behind its network's.
    package init?(_ text: String) {
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        {
            let pair = Substring(part).trimmingCharacters(in: .whitespaces).utf8
                .split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            guard let name = pair.first, let first = IPAddress(name) else { return nil }
            // Written as IPv6, an address of IPv4 has the bits of IPv6.
            let isShort = first.isIPv4 && !name.utf8.contains(UInt8(ascii: ":"))
            let most = isShort ? 32 : 128
            var bits = most
            if pair.count == 2 {
                guard pair[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    let given = Int(pair[1]), given <= most
                else { return nil }
                bits = given
            }
            if isShort { bits += 96 }
            guard first.prefix(bits) == first else { return nil }
            networks.append(Network(first: first, bits: bits))
        }
    }

    package func contains(_ address: IPAddress) -> Bool {
        networks.contains { address.prefix($0.bits) == $0.first }
    }
}
