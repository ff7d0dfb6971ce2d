import Foundation
import StoreCore
import StoreKit
import StoreModel
import StoreTestSupport

/// Steps and rules of apps that use StoreKit 2 beside the original API.
extension Run {
    func updateSteps(_ launch: Launch) -> [Step] {
        guard usesUpdates else { return [] }
        var steps = [
            Step(weight: view.payments.count < 12 ? 6 : 1, name: "buy a product") { [self] in
                buyProduct(launch)
            },
            Step(weight: 1, name: "another loop over updates") { [self] in listen(launch) },
        ]
        if launch.crashPoint == nil {
            steps.append(
                Step(weight: 3, name: "revoke, and crash when a loop has it") { [self] in
                    launch.crashPoint = .update(isRevoked: true)
                    try revoke()
                })
        }
        return steps
    }

    /// What happens in the store while the answer to an order is on its way.
    func overtakingSteps() -> [Step] {
        network.flights.filter(\.isAnswered).compactMap { Orders.key(in: $0.request) }.map { key in
            Step(weight: 6, name: "revoke what is on its way") { [self] in
                let rows = try accounts.flatMap { try shop.ledger(of: $0) }
                guard let row = rows.first(where: { $0.key == key }) else { return }
                try revoke(row.entry.id)
            }
        }
    }

    func listen(_ launch: Launch) {
        launch.listen(finishing: Choice { [unowned self] in random.chance(50) })
    }

    func buyProduct(_ launch: Launch) {
        let products = [
            (SampleShop.credits, true), (SampleShop.badge, false), (SampleShop.chapter, false),
            (SampleShop.season, true), (SampleShop.monthly, false),
        ]
        let (product, isCounted) = products[random.below(products.count)]
        let quantity = isCounted && random.chance(40) ? 1 + random.below(10) : 1
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
        let all = try shop.ledger(of: account)
        check(entitled: sequences.entitled, all)
        let rows = all.filter { $0.entry.details.kind == .purchase }
        guard !view.hasLostJournal, !view.hasGoneBack else { return }
        // What was got once more goes with the purchase, of which the loop hears.
        for row in rows.filter({ $0.entry.original.id == $0.entry.id })
        where row.isRevoked && view.delivered.contains(row.id) {
            if !view.updates.revoked.contains(row.id) {
                view.violate("no loop has heard that \(row.id) was revoked")
            }
        }
    }

    /// The customer may use what the ledger has of them and nobody has taken back.
    private func check(entitled: [Transaction], _ rows: [LedgerRow]) {
        // How long a subscription's period runs is for tests that hold the clock.
        let endless: [StoreModel.ProductType] = [.nonConsumable, .nonRenewingSubscription]
        for type in endless {
            let kept = rows.filter {
                let details = $0.entry.details
                return details.kind == .purchase && details.productType == type && !$0.isRevoked
            }.map(\.entry.details.productID.text)
            let own = entitled.filter { $0.productType.rawValue == type.rawValue }
            if own.map(\.productID).sorted() != Set(kept).sorted() {
                view.violate("entitled to \(own.map(\.id)), the ledger has \(Set(kept).sorted())")
            }
        }
        // One of several purchases may be the one that was taken back.
        let revoked = Set(
            rows.filter { $0.isRevoked && $0.entry.original.id == $0.entry.id }.map(\.id))
        for transaction in entitled
        where revoked.contains(transaction.id.description)
            || revoked.contains(transaction.originalID.description)
                && transaction.productType != .autoRenewable
        {
            view.violate("entitled to \(transaction.id), which was revoked")
        }
    }
}
