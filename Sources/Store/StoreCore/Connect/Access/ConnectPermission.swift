/// What a step in Connect takes: every route of the API and of the portal names one.
package enum ConnectPermission: String, Sendable, Hashable, CaseIterable {
    /// One's own name, password and sessions.
    case useConnect
    /// Seeing apps, identifiers, products, prices and content.
    case viewApps
    /// Making and changing apps and their versions.
    case manageApps
    case manageIdentifiers
    /// Profiles with which an app talks to the sandbox.
    case manageDevelopmentProfiles
    /// Profiles with which an app sells.
    case manageDistributionProfiles
    case manageProducts
    case managePrices
    /// What the storefront shows: items and artists.
    case manageItems
    /// Packages of content, and binaries.
    case uploadContent
    /// Sending products and versions to review, and taking them back.
    case submit
    /// Taking one's own products from sale, and back.
    case changeSale
    case manageTesters
    /// What apps' servers were told, with what customers bought.
    case viewNotifications
    /// Having notifications sent, for a test or once more.
    case sendNotifications
    case viewSales
    /// Seeing customers' transactions, as the publisher's server does.
    case viewTransactions
    /// What the publisher's server changes about them: longer subscriptions, account tokens,
    /// messages to customers.
    case manageTransactions
    /// Seeing what customers want their money back for, and why.
    case viewRefunds
    case viewAgreements
    /// Accepting agreements.
    case signAgreements
    /// Bank accounts and tax forms.
    case manageBanking
    case viewUsers
    case manageUsers
    case manageKeys
    /// The secret with which a publisher's server asks about an app's receipts.
    case manageAppSecrets
    /// The secret that opens the receipts of all of a team's apps.
    case manageTeamSecrets
    case viewAudit
    /// The review queue of all teams, and its decisions.
    case review
    /// Publishing and rejecting what customers write about items of all teams.
    case moderateReviews
    /// Answering what customers write about one's own items.
    case respondToReviews
    /// Those who send customers, and what they earn.
    case manageAffiliates
    /// Teams, staff, taking products of others from sale.
    case operate
    /// Who may fetch the partner feed.
    case managePartners
    /// Deciding on refunds, and taking them back.
    case decideRefunds

    /// Who may.
    package var roles: Set<ConnectRole> { Self.table[self] ?? [] }

    private static let members: Set<ConnectRole> = [
        .accountHolder, .admin, .appManager, .developer, .marketing, .sales, .finance,
        .customerSupport,
    ]
    private static let leads: Set<ConnectRole> = [.accountHolder, .admin]
    private static let managers: Set<ConnectRole> = [.accountHolder, .admin, .appManager]
    private static let makers: Set<ConnectRole> = [
        .accountHolder, .admin, .appManager, .developer,
    ]

    /// The operator may whatever anybody may: nobody else can help a team that has lost its
    /// account holder.
    private static let table: [ConnectPermission: Set<ConnectRole>] = {
        let table: [ConnectPermission: Set<ConnectRole>] = [
            .useConnect: members.union([.reviewer]),
            .viewApps: members.union([.reviewer]),
            .manageApps: managers,
            .manageIdentifiers: managers,
            .manageDevelopmentProfiles: makers,
            .manageDistributionProfiles: managers,
            .manageProducts: managers.union([.marketing]),
            .managePrices: managers,
            .manageItems: managers.union([.marketing]),
            .uploadContent: makers,
            .submit: managers,
            .changeSale: managers,
            .manageTesters: makers,
            .viewNotifications: makers.union([.customerSupport]),
            .sendNotifications: makers,
            .viewSales: leads.union([.sales, .finance, .marketing]),
            .viewTransactions: makers.union([.sales, .finance, .customerSupport]),
            .manageTransactions: makers.union([.customerSupport]),
            .viewRefunds: makers.union([.sales, .finance, .customerSupport]),
            .viewAgreements: leads.union([.finance]),
            .signAgreements: [.accountHolder],
            .manageBanking: leads.union([.finance]),
            .viewUsers: members,
            .manageUsers: leads,
            .manageKeys: leads,
            .manageAppSecrets: managers,
            .manageTeamSecrets: leads,
            .viewAudit: leads,
            .review: [.reviewer],
            .moderateReviews: [.reviewer],
            .respondToReviews: managers.union([.customerSupport]),
            .manageAffiliates: [],
            .operate: [],
            .managePartners: [],
            .decideRefunds: [],
        ]
        return table.mapValues { $0.union([.operator]) }
    }()
}
