import Foundation
import StoreCore
import StoreKit
import StoreModel
import StoreTestSupport

/// Steps and rules of apps that use StoreKit 2 beside the original API.
extension Run {
    func updateSteps(_ launch: Launch) -> [Step] {
        guard usesUpdates else { return [] }
        return [
            Step(weight: view.payments.count < 12 ? 6 : 1, name: "buy a product") { [self] in
                buyProduct(launch)
            },
            Step(weight: 1, name: "another loop over updates") { [self] in listen(launch) },
        ]
    }

    func listen(_ launch: Launch) {
        launch.listen(finishing: Choice { [unowned self] in random.chance(50) })
    }

    func buyProduct(_ launch: Launch) {
        let products = [
            SampleShop.credits, SampleShop.badge, SampleShop.chapter, SampleShop.monthly,
        ]
        let product = products[random.below(products.count)]
        let quantity = product == SampleShop.credits && random.chance(40) ? 1 + random.below(10) : 1
        let token = random.uuid()
        let tag = token.uuidString.lowercased()
        view.payments[tag] = AppView.Payment(
            product: product, quantity: quantity, isFromProduct: true)
        view.updates.open.insert(tag)
        note("   \(quantity) \(product) \(tag.prefix(8))")
        launch.buy(
            product,
            options: [
                .quantity(quantity), .appAccountToken(token),
                .simulatesAskToBuyInSandbox(random.chance(20)),
            ], tag: tag, finishing: Choice { [unowned self] in random.chance(70) })
    }

    /// What StoreKit 2 says in a quiet launch, against the ledger.
    func checkUpdates(_ launch: Launch, _ account: Account) throws {
        guard usesUpdates else { return }
        let end = TaskEnd<(entitled: [Transaction], unfinished: [Transaction])>()
        launch.readSequences { end.result = .success((entitled: $0, unfinished: $1)) }
        try quiet(launch)
        guard let sequences = try end.result?.get() else {
            return view.violate("a sequence does not end")
        }
        for transaction in sequences.unfinished {
            view.violate("\(transaction.id) is unfinished after the end")
        }
        let rows = try shop.ledger(of: account).filter { $0.entry.details.kind == .purchase }
        let kept = rows.filter {
            !$0.isRevoked && $0.entry.details.productType == .nonConsumable
        }.map(\.entry.details.productID.text)
        let entitled = sequences.entitled.filter { $0.productType == .nonConsumable }
        if Set(kept) != Set(entitled.map(\.productID)) {
            view.violate("entitled to \(entitled.map(\.id)), the ledger has \(Set(kept).sorted())")
        }
        guard !view.hasLostJournal, !view.hasGoneBack else { return }
        // What was got once more goes with the purchase, of which the loop hears.
        for row in rows.filter({ $0.entry.original.id == $0.entry.id })
        where row.isRevoked && view.delivered.contains(row.id) {
            if !view.updates.revoked.contains(row.id) {
                view.violate("no loop has heard that \(row.id) was revoked")
            }
        }
    }
}
