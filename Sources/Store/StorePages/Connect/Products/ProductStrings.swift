import StoreCore
import StoreModel

extension ProductType {
    /// As publishers read it.
    package var title: String {
        switch self {
        case .consumable: "Consumable"
        case .nonConsumable: "Non-Consumable"
        case .nonRenewingSubscription: "Non-Renewing Subscription"
        case .autoRenewableSubscription: "Auto-Renewable Subscription"
        }
    }

    /// What it is for, in one sentence.
    var hint: String {
        switch self {
        case .consumable: "Used up, and bought again: coins, lives."
        case .nonConsumable: "Bought once for ever: a chapter, a level."
        case .nonRenewingSubscription: "For a time that the app keeps: a season."
        case .autoRenewableSubscription: "Paid again for each period until it is ended."
        }
    }
}

extension ProductState {
    /// As publishers read it.
    package var badge: PortalBadge {
        switch self {
        case .missingMetadata: PortalBadge("Missing Metadata", .warn)
        case .waitingForUpload: PortalBadge("Waiting for Upload", .warn)
        case .processingContent: PortalBadge("Processing Content", .busy)
        case .readyToSubmit: PortalBadge("Ready to Submit", .plain)
        case .waitingForReview: PortalBadge("Waiting for Review", .busy)
        case .inReview: PortalBadge("In Review", .busy)
        case .developerActionNeeded: PortalBadge("Developer Action Needed", .warn)
        case .pendingBinaryApproval: PortalBadge("Pending Binary Approval", .busy)
        case .approved: PortalBadge("Approved", .good)
        case .developerRemovedFromSale: PortalBadge("Developer Removed from Sale", .plain)
        case .removedFromSale: PortalBadge("Removed from Sale", .bad)
        case .rejected: PortalBadge("Rejected", .bad)
        }
    }
}

extension RevisionState {
    /// As publishers read it.
    package var badge: PortalBadge {
        switch self {
        case .prepareForSubmission: PortalBadge("Prepare for Submission", .warn)
        case .readyForReview: PortalBadge("Ready for Review", .plain)
        case .waitingForReview: PortalBadge("Waiting for Review", .busy)
        case .inReview: PortalBadge("In Review", .busy)
        case .accepted: PortalBadge("Accepted", .busy)
        case .approved: PortalBadge("Approved", .good)
        case .replaced: PortalBadge("Replaced", .plain)
        case .rejected: PortalBadge("Rejected", .bad)
        case .developerRejected: PortalBadge("Developer Rejected", .warn)
        }
    }
}

extension PortalOption {
    /// All territories, by name.
    static let territories: [PortalOption] = Storefront.all.sorted { $0.name < $1.name }
        .map { PortalOption($0.code, "\($0.name) (\($0.currency))") }

    /// All tiers of the price list, with what they cost in a territory.
    static func tiers(in storefront: Storefront) -> [PortalOption] {
        PriceTier.all.map { tier in
            PortalOption(
                tier.identifier,
                "\(tier.name): \(PortalFormatting.money(tier.price(in: storefront)))")
        }
    }
}
