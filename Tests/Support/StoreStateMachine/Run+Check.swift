import Foundation
import StoreCore
import StoreKit
import StoreModel

/// What must hold when everything has settled: the app's view against the store's ledger.
extension Run {
    func check() throws {
        let before = view.delivered.count
        for account in accounts {
            note("-- the last launch for \(account.email)")
            try signIn(account)
            begin(observers: 1)
            if let launch {
                try quiet(launch)
                try checkUpdates(launch, account)
            }
            for item in view.shown { view.violate("\(item.sight) is there after the end") }
            try close()
        }
        if view.delivered.count != before { view.violate("something was sold after the end") }
        for line in try journalLines()
        where !line.hasPrefix("{\"cursor\":") && !line.hasPrefix("{\"history\":") {
            view.violate("the journal keeps \(line.prefix(200))")
        }
        var rows: [LedgerRow] = []
        for account in accounts {
            let own = try shop.ledger(of: account)
            check(own, of: account)
            rows += own
        }
        checkPayments(rows)
        checkOrders(rows)
        // What only the journal knew is gone with it.
        let gone = Set(rows.filter(mayBeGone).map(\.id))
            .union(view.hasLostJournal ? view.lost : [])
        for sight in view.owed where !gone.contains(sight.identifier ?? "") {
            view.violate("\(sight) was forgotten")
        }
        if decisions.overlaps > 0 { view.violate("two questions were open at a time") }
        counts.transactions = rows.count
    }

    /// Each fact was delivered, finished, and paid for as the customer had agreed.
    private func check(_ rows: [LedgerRow], of account: Account) {
        var sold: [Decisions.Agreement: Int] = [:]
        for row in rows {
            let details = row.entry.details
            if view.lost.contains(row.id) { view.violate("\(row.id) was given out twice") }
            let isShown = view.delivered.contains(row.id)
            // A late copy of an order sells again what is lost; the app has that already.
            let isAgain = details.applicationUsername.map {
                view.payments[$0]?.hasLostSale ?? false
            }
            let isKnown = isShown || !(isAgain ?? false)
            if !isShown, !row.isRevoked, isKnown { view.violate("\(row.id) was never delivered") }
            if !row.isFinished, !mayBeGone(row), isKnown, isShown || !row.isRevoked {
                view.violate("\(row.id) is not finished")
            }
            if isShown, !view.asked.contains(row.id), !mayBeGone(row) {
                view.violate("\(row.id) was seen and never finished")
            }
            let full = details.unitPrice.thousandths * Int64(details.quantity)
            let isGift = codes.isEmpty == false && details.applicationUsername == nil
            let charged = details.charged.thousandths
            if details.kind == .restore ? charged != 0 : charged != full && charged != 0 {
                view.violate("\(row.id) was charged \(charged)")
            }
            if details.kind == .purchase, charged == 0, details.original == nil, !isGift {
                view.violate("\(row.id) was charged nothing")
            }
            guard details.kind == .purchase, charged > 0 else { continue }
            let agreement = Decisions.Agreement(
                product: details.productID.text, quantity: details.quantity,
                price: details.charged.formatted(locale: account.storefront.locale),
                account: account.email)
            sold[agreement, default: 0] += 1
        }
        for (agreement, count) in sold where count > decisions.agreements[agreement] ?? 0 {
            view.violate("\(count) sold of \(agreement), agreed to less often")
        }
    }

    /// Whether the device may have forgotten it: the store does not list what was revoked, so
    /// only the journal knew. An older backup forgets that it was finished.
    private func mayBeGone(_ row: LedgerRow) -> Bool {
        guard row.isRevoked else { return false }
        return view.hasLostJournal || view.hasGoneBack && view.asked.contains(row.id)
    }

    /// No key was sold that the store had refused, and none was ordered under at two prices.
    private func checkOrders(_ rows: [LedgerRow]) {
        for row in rows where network.orders.refused.contains(row.key) {
            view.violate("\(row.id) was sold under \(row.key), which the store had refused")
        }
        // A payment that began in the store is offered again, and under the same key, where the journal
        // was lost or an older backup has forgotten its end. That it is sold for what was agreed to is
        // looked at all the same.
        guard !view.hasLostJournal else { return }
        for key in network.orders.keysOfManyPrices.sorted()
        where !view.hasGoneBack || !Orders.isOfStore(key) {
            view.violate("\(key) was ordered under at two prices")
        }
    }

    /// Each payment has come to exactly one end.
    private func checkPayments(_ rows: [LedgerRow]) {
        let known = Set(rows.map(\.id))
        for id in view.delivered where !known.contains(id) && !view.lost.contains(id) {
            view.violate("\(id) was delivered and is not in the ledger")
        }
        for (tag, payment) in view.payments {
            let own = rows.filter {
                $0.entry.details.kind == .purchase && $0.entry.details.applicationUsername == tag
            }
            let answers = own.filter { !$0.key.hasPrefix("resolved-") }
            if answers.count > 1 { view.violate("\(tag) was sold \(answers.count) times") }
            if own.count - answers.count > 1 { view.violate("\(tag) was resolved twice") }
            // What was taken back before the device had heard of it is not given to it any more.
            if payment.hasFailed, answers.contains(where: { !$0.isRevoked }) {
                view.violate("\(tag) has failed, and was sold")
            }
            let isEnd = payment.state == .failed || payment.state == .purchased
            if let state = payment.state, !isEnd || !payment.isAsked {
                view.violate("\(tag) ends as \(state.name)")
            }
        }
    }
}
