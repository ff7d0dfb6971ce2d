import CStoreCrypto
import Foundation

/// A name that a server is reached by, as its certificate lists them.
package enum ServerName: Hashable, Sendable, CustomStringConvertible {
    /// A host name; `*.` may stand at its beginning.
    case dns(String)
    /// An IPv4 or IPv6 address in its shortest form.
    case address(String)

    /// Reads a host name or a numeric address, in brackets or not.
    ///
    /// Nil for what is neither; among it is everything that would have a meaning of its own in
    /// OpenSSL's notation for extensions.
    package init?(_ text: some StringProtocol) {
        var text = String(text)
        if text.first == "[", text.last == "]" { text = String(text.dropFirst().dropLast()) }
        if let address = Self.numeric(text) {
            self = .address(address)
        } else if Self.isHostName(text) {
            self = .dns(text.lowercased())
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .dns(let name), .address(let name): name
        }
    }

    /// In OpenSSL's notation for the extension.
    var notation: String {
        switch self {
        case .dns(let name): "DNS:\(name)"
        case .address(let address): "IP:\(address)"
        }
    }

    /// In OpenSSL's notation for a name constraint that permits it; nil for a pattern.
    var constraint: String? {
        switch self {
        case .dns(let name): name.utf8.first == UInt8(ascii: "*") ? nil : notation
        case .address(let address) where address.utf8.contains(UInt8(ascii: ":")):
            notation + "/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
        case .address: notation + "/255.255.255.255"
        }
    }

    init?(_ name: UnsafeMutablePointer<GENERAL_NAME>) {
        guard let (type, bytes) = Self.content(of: name) else { return nil }
        switch (type, bytes.count) {
        case (GEN_DNS, _): self = .dns(String(decoding: bytes, as: UTF8.self))
        case (GEN_IPADD, 4): self = .address(Self.text(of: bytes, family: AF_INET))
        case (GEN_IPADD, 16): self = .address(Self.text(of: bytes, family: AF_INET6))
        default: return nil
        }
    }

    /// The name that a name constraint is about; nil for a range of addresses, and for what is
    /// neither a host name nor an address.
    init?(constraint name: UnsafeMutablePointer<GENERAL_NAME>) {
        guard let (type, bytes) = Self.content(of: name) else { return nil }
        let (address, mask) = (bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count / 2))
        switch (type, bytes.count) {
        case (GEN_DNS, _): self = .dns(String(decoding: bytes, as: UTF8.self).lowercased())
        case (GEN_IPADD, 8) where mask.allSatisfy { $0 == 0xff }:
            self = .address(Self.text(of: Array(address), family: AF_INET))
        case (GEN_IPADD, 32) where mask.allSatisfy { $0 == 0xff }:
            self = .address(Self.text(of: Array(address), family: AF_INET6))
        default: return nil
        }
    }

    /// The kind of a name, and its bytes.
    private static func content(
        of name: UnsafeMutablePointer<GENERAL_NAME>
    ) -> (type: Int32, bytes: [UInt8])? {
        var type: Int32 = 0
        guard let value = GENERAL_NAME_get0_value(name, &type),
            type == GEN_DNS || type == GEN_IPADD
        else { return nil }
        let string = value.assumingMemoryBound(to: ASN1_STRING.self)
        guard let start = ASN1_STRING_get0_data(string) else { return nil }
        return (
            type, Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
        )
    }

    private static func numeric(_ text: String) -> String? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return self.text(of: bytes, family: family) }
        }
        return nil
    }

    private static func text(of address: [UInt8], family: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, address, &buffer, socklen_t(buffer.count)) != nil else {
            preconditionFailure("an address of \(address.count) bytes")
        }
        let end = buffer.firstIndex(of: 0) ?? buffer.endIndex
        return String(decoding: buffer[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Letters, digits and hyphens in labels of at most 63 (RFC 1123, section 2.1).
    private static func isHostName(_ text: String) -> Bool {
        let hyphen = UInt8(ascii: "-")
        let name = text.utf8.starts(with: "*.".utf8) ? text.utf8.dropFirst(2) : text.utf8[...]
        guard (1...253).contains(name.count) else { return false }
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { byte in
                    byte == hyphen
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                }
        }
    }
}
