import Foundation
@testable import StoreKit
import StoreSecurity
import StoreWire

private let authority: SampleAuthority = {
    guard let authority = try? SampleAuthority() else { fail("no authority") }
    return authority
}()
private let key: VerifyingKey = {
    guard let pem = try? authority.leafKey.publicPEM(), let key = try? VerifyingKey(pem: pem)
    else { fail("no key") }
    return key
}()
/// What an app's device makes of statements.
private let statements = StatementVerifier(
    JWSVerifier(root: authority.root), bundleID: "com.example.app", environment: "Sandbox",
    deviceID: "C0FFEE00-1234-4ABC-8DEF-00112233445A")
private let seals = SealedTokens(secret: Data(repeating: 7, count: 32))

/// Reads signed statements and tokens; the first byte says as what the others are read: `s` the
/// text of a statement, `h` its header and payload, as two lengths say, before they are put into
/// base64, `c` the certificate that signs it, `v` the payload of one that the store does sign, `t` the
/// text of a token, `k` its header and claims, `m` a sealed statement. Nothing but the seeds and the
/// payloads has a right signature.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStatement(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let bytes else { return 0 }
    let data = Data(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
    switch bytes[0] {
    case UInt8(ascii: "s"): verify(String(decoding: data, as: UTF8.self))
    case UInt8(ascii: "h"): verify(encoded(data))
    case UInt8(ascii: "c"): verify(statement(under: data))
    case UInt8(ascii: "v"): readValues(of: data)
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
    demand(!isVerified(statements.transaction(text)), "a forged transaction is verified")
    demand(!isVerified(statements.renewalInfo(text)), "forged renewal information is verified")
    demand(!isVerified(statements.appTransaction(text)), "a forged app transaction is verified")
}

private func isVerified<Value>(_ result: VerificationResult<Value>?) -> Bool {
    guard case .verified = result else { return false }
    return true
}

/// Reads a payload as each of StoreKit 2's values, and from it what an app can. Dates become texts:
/// Foundation's calendars are what a wrong one would end.
private func readValues(of payload: Data) {
    guard let text = try? authority.signer.sign(payload) else { return }
    if let result = statements.transaction(text) {
        let value = result.unsafePayloadValue
        let dates = [
            value.purchaseDate, value.originalPurchaseDate, value.expirationDate,
            value.revocationDate, value.signedDate, value.commitmentInfo?.expirationDate,
        ]
        read(dates, value.offer, value.advancedCommerceInfo, value.price, value.currency)
        read([], value.revocationReason, value.revocationPercentage, value.storefront.id)
        demand(value.jsonRepresentation == result.payloadData, "a payload is another")
        demand(!isVerified(result) || value.appBundleID == "com.example.app", "another app's")
        _ = (result.debugDescription, value.purchasedQuantity, value.deviceVerificationNonce)
    }
    if let value = statements.renewalInfo(text)?.unsafePayloadValue {
        let dates = [
            value.renewalDate, value.gracePeriodExpirationDate, value.recentSubscriptionStartDate,
            value.commitmentInfo?.renewalDate,
        ]
        read(dates, value.offer, value.advancedCommerceInfo, value.renewalPrice, value.currency)
        read([], value.expirationReason, value.eligibleWinBackOfferIDs, value.commitmentInfo)
    }
    if let value = statements.appTransaction(text)?.unsafePayloadValue {
        read(
            [value.originalPurchaseDate, value.preorderDate, value.revocationDate],
            value.appID, value.appVersionID, value.storeType)
    }
}

private func read(_ dates: [Date?], _ members: (any Hashable)?...) {
    for case let date? in dates { _ = (date.formatted(.iso8601), date.formatted(.dateTime)) }
    for case let member? in members { _ = (AnyHashable(member).hashValue, "\(member)") }
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
