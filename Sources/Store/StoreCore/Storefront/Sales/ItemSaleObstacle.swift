import Foundation
import StoreModel

/// Why an item that costs money is not sold at present.
package enum ItemSaleObstacle: Sendable, Hashable {
    /// The publisher's agreement for paid applications is not in force.
    case noPaidAgreement
    /// A buyer would get no file: neither of the item, nor of a part that is on sale.
    case nothingToFetch

    /// Decides for one item. What costs nothing needs neither agreement nor file.
    ///
    /// - Parameters:
    ///   - costs: whether somebody would pay for it.
    ///   - hasFile: whether it has a download, or a part on sale that has one.
    package static func of(
        _ details: ItemDetails, costs: Bool, hasPaidAgreement: Bool, hasFile: Bool
    ) -> ItemSaleObstacle? {
        guard costs else { return nil }
        guard hasPaidAgreement else { return .noPaidAgreement }
        return hasFile || !details.isFetched ? nil : .nothingToFetch
    }

    /// What a customer reads in the place of the button.
    package var sentence: String {
        switch self {
        case .noPaidAgreement:
            "The publisher can't sell for money at present. Try again later."
        case .nothingToFetch:
            "This can't be bought at present: there is no file for its buyers yet."
        }
    }

    /// The page of Connect on which a publisher removes the obstacle.
    package func path(for item: ItemID) -> String {
        switch self {
        case .noPaidAgreement: "/connect/agreements"
        case .nothingToFetch: "/connect/items/\(item)/media"
        }
    }

    /// What a publisher reads who wants to put an item on sale.
    package func refusal(of item: ItemID) -> ConnectRefusal {
        switch self {
        case .noPaidAgreement:
            ConnectRefusal(
                .state, rule: "noPaidAgreement", field: "state",
                "The team's Paid Apps agreement is not in force.",
                help:
                    "\(path(for: item)) shows what is missing: the Account Holder's acceptance, a "
                    + "bank account or a tax form. What is free can be on sale without it.")
        case .nothingToFetch:
            ConnectRefusal(
                .state, rule: "nothingToFetch", field: "state",
                "Customers who buy or get the item would receive no file.",
                help: "Add the download at \(path(for: item)), then put it on sale. An album or a "
                    + "season needs one part on sale first. Without a price it needs no file.")
        }
    }
}

extension ItemDetails {
    /// Whether its customers get a file of the item, or of its parts: an app's builds, and the
    /// episodes of a podcast's feed, are kept elsewhere.
    package var isFetched: Bool {
        app == nil && (kind != .podcast || facts.feedURL == nil)
    }
}

extension StoreRepositories {
    /// What keeps an item from being sold wherever it costs something; nil for nothing.
    func saleObstacle(of item: Item) throws -> ItemSaleObstacle? {
        let prices = item.details.prices
        return try saleObstacle(of: item, costs: !prices.isFree && !prices.isForShow)
    }

    /// What keeps an item from going on sale; nil for nothing. What is free, and on sale already,
    /// stays; it goes on sale only with what its customers fetch.
    func offerObstacle(of item: Item) throws -> ItemSaleObstacle? {
        if let obstacle = try saleObstacle(of: item) { return obstacle }
        guard item.details.prices.isFree, item.details.isFetched else { return nil }
        return try itemMedia.withFiles([item.id]).isEmpty ? .nothingToFetch : nil
    }

    func saleObstacle(of item: Item, costs: Bool) throws -> ItemSaleObstacle? {
        ItemSaleObstacle.of(
            item.details, costs: costs,
            hasPaidAgreement: try catalog.team(item.team)?.hasPaidAgreement ?? false,
            hasFile: try costs && !itemMedia.withFiles([item.id]).isEmpty)
    }
}
