import Foundation
import StoreModel

/// What is left to do before a product can be submitted, and before anybody can buy it.
package struct ProductSaleStatus: Sendable, Hashable {
    package let record: ProductRecord
    /// The publisher's team.
    package let team: Team
    /// What it lacks before it can be submitted.
    package let missing: [MissingItem]
    /// What it costs in the territory from which its other prices follow; nil where it has no
    /// price now.
    package let price: Money?
    package let baseTerritory: String

    init(_ record: ProductRecord, team: Team, at date: Date) {
        self.record = record
        self.team = team
        missing = ProductCompleteness.missing(in: record, at: date)
        let prices = record.product.details.prices
        let base = Storefront.named(prices.baseTerritory) ?? .unitedStates
        baseTerritory = base.code
        price = prices.price(in: base, at: date)
    }

    /// Why nobody can buy it whatever its own state is, as a sentence; nil where the team sells.
    package var obstacle: String? {
        team.hasPaidAgreement ? nil : Self.noPaidAgreement(of: team.name)
    }

    /// What a team is told that lacks its agreement.
    package static func noPaidAgreement(of team: String) -> String {
        "Nobody can buy it, not even in the sandbox, until the Paid Apps agreement of the team "
            + "\(quoted(team)) is in force."
    }
}

extension ProductService {
    /// What is left to do for a product.
    package func saleStatus(
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductSaleStatus {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            let product = try work.product(number)
            let team = try work.catalog.team(product.app.teamID).orNotFound(
                "product", number.description)
            return ProductSaleStatus(product.record, team: team, at: work.now)
        }
    }
}
