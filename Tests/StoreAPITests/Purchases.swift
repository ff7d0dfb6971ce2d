import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// What tests buy.
extension APIClient {
    static func dollars(_ thousandths: Int64) -> Money {
        Money(thousandths: thousandths, currency: "USD")
    }

    static func order(
        _ product: String, _ key: Int, quantity: Int = 1, price: Money
    ) -> PurchaseRequest {
        PurchaseRequest(
            purchaseKey: PurchaseKey("purchase-key-\(1000 + key)")!, productId: product,
            quantity: quantity, confirmedPrice: price, applicationUsername: nil)
    }

    static func chapter(_ key: Int) -> PurchaseRequest {
        order(SampleShop.chapter, key, price: dollars(1990))
    }

    static func badge(_ key: Int) -> PurchaseRequest {
        order(SampleShop.badge, key, price: dollars(990))
    }

    static func credits(_ key: Int, quantity: Int = 1) -> PurchaseRequest {
        order(SampleShop.credits, key, quantity: quantity, price: dollars(990))
    }

    /// Buys, and gives the verified transaction.
    func buy(_ order: PurchaseRequest) async throws -> TransactionPayload {
        try payload(try await post(DeviceRoute.purchases, order))
    }

    func finish(_ transaction: TransactionPayload) async throws {
        let response = try await send(
            "POST", DeviceRoute.finish("\(transaction.transactionId)"))
        #expect(response.status == 204)
        #expect(response.data.isEmpty)
    }

    func restore(_ key: Int) async throws -> [TransactionPayload] {
        let answer: TransactionsAnswer = try await post(
            DeviceRoute.restores,
            RestoreRequest(
                restoreKey: PurchaseKey("restore-key-\(10000 + key)")!, applicationUsername: nil))
        return try answer.transactions.map { try payload($0) }
    }

    func unfinished() async throws -> [TransactionPayload] {
        let response = try await send("GET", DeviceRoute.unfinished)
        #expect(response.status == 200)
        return try WireCoding.decode(TransactionsAnswer.self, from: response.data)
            .transactions.map { try payload($0) }
    }

    /// What a transaction says, once its signature leads to the store's root, and it is bound to this
    /// device: by a nonce of its own, which is left out.
    func payload(_ answer: TransactionAnswer) throws -> TransactionPayload {
        let data = try JWSVerifier(root: shop.store.keys.root).verify(answer.signedTransaction) {
            Date(
                milliseconds: try WireCoding.decode(TransactionPayload.self, from: $0).signedDate)
        }
        var payload = try WireCoding.decode(TransactionPayload.self, from: data)
        #expect(isBound(payload.deviceVerification, payload.deviceVerificationNonce))
        (payload.deviceVerification, payload.deviceVerificationNonce) = (nil, nil)
        return payload
    }

    /// Whether a statement is bound to this device, by Apple's rule.
    func isBound(_ verification: String?, _ nonce: String?) -> Bool {
        guard let nonce, nonce == nonce.lowercased(), let uuid = UUID(uuidString: nonce),
            let verification, let digest = Data(base64Encoded: verification), digest.count == 48
        else { return false }
        return DeviceVerification.digest(nonce: uuid, device: device ?? "") == digest
    }
}

/// Every fact of the testers' ledgers, to see that nothing was added.
struct LedgerSnapshot: Equatable {
    private var entries: [LedgerEntry] = []
    private var finished: [Bool] = []

    init(of shop: TestStore) async throws {
        for environment in StoreEnvironment.allCases {
            for email in [TestStore.american, TestStore.japanese] {
                let ledger = try await shop.ledger(of: email, in: environment)
                entries += ledger
                finished += try await shop.store.database.read { repositories in
                    try ledger.map { try repositories.ledger.isFinished($0.id) }
                }
            }
        }
    }

    var count: Int { entries.count }
}
