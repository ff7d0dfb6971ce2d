import Foundation
import StoreCore
import StoreModel

/// Customers of the production store, and what they bought.
extension DemoTeam {
    /// How many customers each storefront has.
    private static let market: [(territory: String, customers: Int)] = [
        ("USA", 12), ("DEU", 6), ("GBR", 5), ("JPN", 5), ("FRA", 3), ("CAN", 3), ("AUS", 2),
        ("CHE", 2), ("BRA", 1), ("IND", 1),
    ]

    private static func email(of number: Int, in territory: String) -> String {
        "\(territory.lowercased())\(number)@readers.example"
    }

    /// Two of them.
    static let exampleCustomers: String =
        "\(email(of: 1, in: "USA")), \(email(of: 1, in: "JPN"))"

    mutating func makeCustomers() async throws {
        wait(until: 42, hour: 12)
        for (territory, count) in Self.market {
            guard let storefront = Storefront.named(territory) else { continue }
            for number in 1...count {
                customers.append(
                    try await store.services.accounts.create(
                        email: Self.email(of: number, in: territory), password: password,
                        storefront: storefront, environment: .production))
            }
        }
    }

    /// Something that is on sale.
    private struct Offer {
        let product: Product
        let profile: ProfileClaim
        let catalog: AppCatalog
    }

    /// Lets customers buy on some days, the earliest first: more at weekends, and more from
    /// week to week.
    ///
    /// - Parameter first: the hour at which they begin.
    mutating func sell(days: ClosedRange<Int>, from first: Double = 2) async throws {
        let offers = try await offers()
        guard !offers.isEmpty else { throw DemoFailure(description: "nothing is on sale") }
        for day in days.reversed() {
            let weekday = Int(clamping: end.timeIntervalSince1970 / 86_400) - day
            // The epoch began on a Thursday.
            let isWeekend = [2, 3].contains((weekday % 7 + 7) % 7)
            let count = 4 + random.below(4) + (45 - day) / 9 + (isWeekend ? 4 : 0)
            var bought: [TransactionID] = []
            for index in 0..<count {
                wait(until: day, hour: first + (18 - first) * Double(index) / Double(count))
                let customer = customers[random.below(customers.count)]
                let offer = offers[random.below(offers.count)]
                let quantity =
                    offer.product.details.type == .consumable && random.chance(30)
                    ? 1 + random.below(4) : 1
                if let id = try await buy(offer, quantity, by: customer) { bought.append(id) }
            }
            // One in some days wants its money back, and one today.
            if let first = bought.first, random.chance(35) || day == 0 {
                try await askForRefund(
                    of: first, random.chance(50) ? .fulfillment : .unintended, on: day)
            }
            try await decideRefunds()
        }
    }

    /// What customers can buy: consumables several times, so that they come up more often.
    private func offers() async throws -> [Offer] {
        var offers: [Offer] = []
        for name in ["bookshop", "stargazer"] {
            guard let catalog = try await store.services.catalog.catalog(of: try app(name).bundleID)
            else { continue }
            let profile = claim(catalog.app, .production)
            let sold = catalog.products.values
                .filter { product in
                    product.details.state == .approved
                        && product.details.type != .autoRenewableSubscription
                }
                .sorted { $0.details.productID < $1.details.productID }
            for product in sold {
                let weight = product.details.type == .consumable ? 3 : 2
                offers += Array(
                    repeating: Offer(product: product, profile: profile, catalog: catalog),
                    count: weight)
            }
        }
        return offers
    }

    /// What the app's profile says, as devices send it.
    func claim(_ app: App, _ environment: StoreEnvironment) -> ProfileClaim {
        ProfileClaim(
            bundleID: app.bundleID, applicationIdentifier: ApplicationIdentifier(app.bundleID),
            environment: environment,
            allowsInAppPurchase: true, generation: app.generation)
    }

    /// - Returns: nil where the customer has it, or can't have it in the storefront.
    private mutating func buy(
        _ offer: Offer, _ quantity: Int, by customer: Account
    ) async throws -> TransactionID? {
        let details = offer.product.details
        guard let price = offer.product.price(in: customer.storefront, at: clock.now()) else {
            return nil
        }
        if details.type != .consumable,
            !owned.insert("\(customer.id.number) \(details.productID)").inserted
        {
            return nil
        }
        let order = try order(details.productID, quantity, at: price, on: "\(customer.email)")
        let answer = try await store.services.purchases.buy(
            order, by: customer, profile: offer.profile, catalog: offer.catalog)
        switch answer {
        case .success(.sold(let sale)): return sale.entry.id
        // The clock went past a midnight between question and purchase.
        case .failure(.priceChanged): return nil
        case .success(.deferred), .failure:
            throw DemoFailure(
                description: "\(customer.email) could not buy \(details.productID): \(answer)")
        }
    }

    mutating func order(
        _ product: ProductID, _ quantity: Int, at price: Money, on device: String
    ) throws -> PurchaseOrder {
        guard let key = PurchaseKey(random.uuid().uuidString.lowercased()) else {
            throw DemoFailure(description: "the purchase got no key")
        }
        return PurchaseOrder(
            key: key, productID: product.text, quantity: quantity, confirmedPrice: price,
            applicationUsername: nil, device: device)
    }
}
