import Foundation
import StoreSecurity

private let authority: SampleAuthority = {
    guard let authority = try? SampleAuthority() else { fail("no authority") }
    return authority
}()
private let key: VerifyingKey = {
    guard let pem = try? authority.leafKey.publicPEM(), let key = try? VerifyingKey(pem: pem)
    else { fail("no key") }
    return key
}()
private let seals = SealedTokens(secret: Data(repeating: 7, count: 32))

/// Reads signed statements and tokens; the first byte says as what the others are read: `s` the
/// text of a statement, `h` its header and payload, as two lengths say, before they are put into
/// base64, `c` the certificate that signs it, `t` the text of a token, `k` its header and claims,
/// `m` a sealed statement. Nothing but the seeds has a right signature.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStatement(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let bytes else { return 0 }
    let data = Data(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
    switch bytes[0] {
    case UInt8(ascii: "s"): verify(String(decoding: data, as: UTF8.self))
    case UInt8(ascii: "h"): verify(encoded(data))
    case UInt8(ascii: "c"): verify(statement(under: data))
    case UInt8(ascii: "t"): check(String(decoding: data, as: UTF8.self))
    case UInt8(ascii: "k"): check(encoded(data))
    default:
        let statement = try? seals.open(String(decoding: data, as: UTF8.self))
        demand(statement == nil || statement == Data("sealed".utf8), "a seal is forged")
    }
    return 0
}

private func verify(_ text: String) {
    let payload = try? JWSVerifier(root: authority.root).verify(text) { _ in SampleAuthority.date }
    demand(payload == nil || payload == Data("{}".utf8), "a forged statement is accepted")
    _ = try? JWSVerifier.namedRoot(of: text)
}

private func check(_ text: String) {
    guard let token = try? APIToken(text), (try? token.check(by: key)) != nil else { return }
    demand(token.claims == SampleAuthority.claims(), "a forged token is accepted")
}

/// Three parts in base64; the first two bytes are the length of the first one, the next two
/// that of the second one.
private func encoded(_ data: Data) -> String {
    let bytes = Array(data)
    guard bytes.count >= 4 else { return "" }
    let rest = bytes[4...]
    let first = rest.prefix(Int(bytes[0]) << 8 | Int(bytes[1]))
    let second = rest.dropFirst(first.count).prefix(Int(bytes[2]) << 8 | Int(bytes[3]))
    return [first, second, rest.dropFirst(first.count + second.count)]
        .map { Base64URL.encode($0) }.joined(separator: ".")
}

/// A statement whose leaf is some bytes.
private func statement(under leaf: Data) -> String {
    let above = [authority.intermediate, authority.root].compactMap {
        try? $0.der().base64EncodedString()
    }
    let header = ["alg": "ES256", "x5c": [leaf.base64EncodedString()] + above] as [String: Any]
    let json = (try? JSONSerialization.data(withJSONObject: header)) ?? Data()
    return "\(Base64URL.encode(json)).\(Base64URL.encode(Data("[]".utf8)))."
        + Base64URL.encode(Data(repeating: 1, count: 64))
}
