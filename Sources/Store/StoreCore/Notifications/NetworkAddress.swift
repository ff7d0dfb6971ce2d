import Foundation

/// An address of the Internet Protocol, and what it is for.
package struct NetworkAddress: Sendable, Hashable {
    /// What an address is for, by IANA's registries of special-purpose addresses (RFC 6890).
    package enum Kind: Sendable, Hashable {
        /// One host on the internet.
        case global
        case unspecified
        case loopback
        /// Of a network that is not the internet, also unique local ones.
        case privateNetwork
        /// Between a provider and its customers (RFC 6598).
        case shared
        case linkLocal
        case multicast
        case documentation
        /// For tests, protocols, ways between the versions of the protocol, or nothing yet.
        case reserved

        /// What such an address leads to.
        package var phrase: String {
            switch self {
            case .global: "a host on the internet"
            case .unspecified: "no particular host"
            case .loopback: "the store's own machine"
            case .privateNetwork: "a private network"
            case .shared: "a provider's network"
            case .linkLocal: "the store's own link"
            case .multicast: "many hosts at once"
            case .documentation: "an address that stands in documentation only"
            case .reserved: "an address for special purposes"
            }
        }
    }

    /// 4 or 16 bytes, the most significant first.
    package let bytes: [UInt8]

    /// Nil for another number of bytes than 4 or 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Nil for text that is no address. An address of version 4 may have any of the forms that
    /// the system's resolver takes: `127.1`, `0x7f000001`, `2130706433`.
    package init?(text: String) {
        let bare =
            text.dropping(prefix: "[")?.dropping(suffix: "]") ?? text[...]
        // What is behind a percent sign names the link.
        let address = String(bare.unicodeScalars.prefix { $0 != "%" })
        var long = in6_addr()
        if inet_pton(AF_INET6, address, &long) == 1 {
            bytes = withUnsafeBytes(of: &long) { Array($0) }
            return
        }
        var short = in_addr()
        guard address.utf8.allSatisfy({ $0 > 0x20 }), inet_aton(address, &short) != 0 else {
            return nil
        }
        bytes = withUnsafeBytes(of: &short) { Array($0) }
    }

    package var kind: Kind {
        if bytes.count == 4 { return Self.kind(Self.version4, bytes) ?? .global }
        // What stands for an address of version 4 is what that is.
        for prefix in Self.embedding where prefix.contains(bytes) {
            return Self.kind(Self.version4, Array(bytes[12...])) ?? .global
        }
        return Self.kind(Self.version6, bytes) ?? .reserved
    }

    private static func kind(_ table: [(Block, Kind)], _ bytes: [UInt8]) -> Kind? {
        table.first { $0.0.contains(bytes) }?.1
    }

    /// Addresses that begin alike.
    private struct Block: Sendable {
        private let start: [UInt8]
        private let bits: Int

        init(_ start: [UInt8], _ bits: Int) {
            self.start = start
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            (0..<bits).allSatisfy { bit in
                let (byte, mask) = (bit / 8, UInt8(0x80) >> UInt8(bit % 8))
                let wanted = byte < start.count ? start[byte] : 0
                return bytes[byte] & mask == wanted & mask
            }
        }
    }

    /// The first that fits counts; what is in none is global.
    private static let version4: [(Block, Kind)] = [
        (Block([0, 0, 0, 0], 32), .unspecified),
        (Block([0], 8), .reserved),
        (Block([10], 8), .privateNetwork),
        (Block([100, 64], 10), .shared),
        (Block([127], 8), .loopback),
        (Block([169, 254], 16), .linkLocal),
        (Block([172, 16], 12), .privateNetwork),
        (Block([192, 0, 0], 24), .reserved),
        (Block([192, 0, 2], 24), .documentation),
        (Block([192, 88, 99], 24), .reserved),
        (Block([192, 168], 16), .privateNetwork),
        (Block([198, 18], 15), .reserved),
        (Block([198, 51, 100], 24), .documentation),
        (Block([203, 0, 113], 24), .documentation),
        (Block([224], 4), .multicast),
        (Block([240], 4), .reserved),
    ]

    /// The first that fits counts; what is in none is reserved: hosts on the internet are in
    /// 2000::/3 only.
    private static let version6: [(Block, Kind)] = [
        (Block([], 128), .unspecified),
        (Block([UInt8](repeating: 0, count: 15) + [1], 128), .loopback),
        (Block([0xfc], 7), .privateNetwork),
        (Block([0xfe, 0x80], 10), .linkLocal),
        // Site-local, of earlier times.
        (Block([0xfe, 0xc0], 10), .privateNetwork),
        (Block([0xff], 8), .multicast),
        (Block([0x20, 0x01, 0x0d, 0xb8], 32), .documentation),
        (Block([0x3f, 0xff], 20), .documentation),
        // Protocols, with Teredo, which leads to addresses of version 4.
        (Block([0x20, 0x01], 23), .reserved),
        // 6to4, which leads to addresses of version 4.
        (Block([0x20, 0x02], 16), .reserved),
        (Block([0x20], 3), .global),
    ]

    /// An address of version 4 within one of version 6: mapped (RFC 4291), and translated by a
    /// network without version 4 (RFC 6052).
    private static let embedding = [
        Block([UInt8](repeating: 0, count: 10) + [0xff, 0xff], 96),
        Block([0x00, 0x64, 0xff, 0x9b], 96),
    ]
}
