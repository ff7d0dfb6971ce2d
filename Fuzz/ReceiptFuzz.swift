import Foundation
import StoreSecurity

private let authority: SampleAuthority = {
    guard let authority = try? SampleAuthority() else { fail("no authority") }
    return authority
}()
private let verifier = ReceiptVerifier(root: authority.root)
private let receipt = try? SampleAuthority.receipt()
private let transactionReceipt = SampleAuthority.transactionReceipt()

/// Reads receipts and requests of OCSP; the first byte says as what the others are read:
/// `a` an app's receipt, `p` its payload, `t` the receipt of a transaction, `i` what is signed of
/// it, `o` a request. Nothing but the seeds has a right signature.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReceipt(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let bytes else { return 0 }
    let data = Data(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
    switch bytes[0] {
    case UInt8(ascii: "a"):
        if let read = try? verifier.verify(data) {
            demand(read.bundleID == receipt?.bundleID, "a forged receipt is accepted")
            demand(read.purchases == receipt?.purchases, "a forged receipt is accepted")
        }
    case UInt8(ascii: "p"):
        guard let read = try? AppReceipt(payload: data) else { break }
        // What was read can be written, and is the same when it is read again.
        guard let payload = try? read.payload(), let again = try? AppReceipt(payload: payload)
        else { fail("a receipt that was read can't be written") }
        demand(again == read, "a receipt changed")
        _ = try? read.isMade(forDevice: SampleAuthority.device)
    case UInt8(ascii: "t"):
        if let read = try? verifier.verify(transactionReceipt: data) {
            demand(read == transactionReceipt, "a forged receipt is accepted")
        }
    case UInt8(ascii: "i"):
        guard let read = try? TransactionReceipt(purchaseInformation: data) else { break }
        guard let again = try? TransactionReceipt(purchaseInformation: read.purchaseInformation())
        else { fail("a receipt that was read can't be written") }
        demand(again == read, "a receipt changed")
    default:
        let answer = authority.responder.answer(to: data, at: SampleAuthority.date)
        demand((5...16_384).contains(answer.count), "an answer of \(answer.count) bytes")
    }
    return 0
}
