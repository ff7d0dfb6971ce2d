import Foundation
import StoreAPI
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport

/// Signs the same sale again and again, as the store answers with it: facts of the ledger to JSON
/// to a signed statement, with the keys of a store on disk. One thread.
///
///     StoreSigningBench SECONDS
///
/// Writes how many statements it made in a second.
@main
struct SigningBench {
    private static let batch = 100

    static func main() async throws {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
        let fixture = try await TestStore(hasContent: false)
        let services = fixture.store.services
        let signer = TransactionSigner(signer: services.signer, clock: services.clock)
        let record = try await sale(in: fixture).record
        _ = try signer.sign(record)
        let start = ContinuousClock.now
        var count = 0
        while ContinuousClock.now - start < .seconds(seconds) {
            for _ in 0..<batch { _ = try signer.sign(record) }
            count += batch
        }
        print(Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
    }

    /// A badge that the American customer has bought.
    private static func sale(in fixture: TestStore) async throws -> PurchaseService.Sale {
        let services = fixture.store.services
        let buyer = try await services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        guard let catalog = try await services.catalog.catalog(of: SampleShop.bundleID),
            let key = PurchaseKey("purchase-key-1000"),
            let identifier = ApplicationIdentifier(SampleShop.bundleID.text)
        else { preconditionFailure("the sample shop is not in its store") }
        let outcome = try await services.purchases.buy(
            PurchaseOrder(
                key: key, productID: SampleShop.badge, quantity: 1,
                confirmedPrice: Money(thousandths: 990, currency: "USD"),
                applicationUsername: "7c5dbbee-8a41-4a4c-8f1a-62b1f33e8f11", device: "device"),
            by: buyer,
            profile: ProfileClaim(
                bundleID: SampleShop.bundleID, applicationIdentifier: identifier,
                environment: .sandbox, allowsInAppPurchase: true,
                generation: catalog.app.generation), catalog: catalog)
        guard case .success(.sold(let sale)) = outcome else {
            preconditionFailure("the store does not sell: \(outcome)")
        }
        return sale
    }
}
