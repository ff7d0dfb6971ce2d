/// Role-based access control (RBAC): what a step in Connect takes. Every route of the API and of the portal names one.
package enum ConnectPermission: String, Sendable, Hashable, CaseIterable {
    /// Change one's own name and password, and see one's own sessions.
    case useConnect
    /// See apps, identifiers, products, prices and content.
    case viewApps
    /// Create and change apps and their versions.
    case manageApps
    /// Create and change bundle identifiers.
    case manageIdentifiers
    /// Create profiles with which an app talks to the sandbox.
    case manageDevelopmentProfiles
    /// Create profiles with which an app sells.
    case manageDistributionProfiles
    /// Create and change products.
    case manageProducts
    /// Set prices, and make offers and their codes.
    case managePrices
    /// Change what the storefront shows: items and artists.
    case manageItems
    /// Upload packages of content, and binaries.
    case uploadContent
    /// Submit products and versions for review, and withdraw them.
    case submit
    /// Take one's own products off sale, and put them on sale again.
    case changeSale
    /// Create and change sandbox testers.
    case manageTesters
    /// See the notifications to apps' servers, which tell what customers bought.
    case viewNotifications
    /// Send a test notification, or one once more.
    case sendNotifications
    /// See reports of sales.
    case viewSales
    /// See customers' transactions, as the publisher's server does.
    case viewTransactions
    /// Change what the publisher's server changes: extend subscriptions, set
    /// account tokens, send messages to customers.
    case manageTransactions
    /// See what customers want their money back for, and why.
    case viewRefunds
    /// See agreements.
    case viewAgreements
    /// Accept agreements.
    case signAgreements
    /// Change bank accounts and tax forms.
    case manageBanking
    /// See the members of the team.
    case viewUsers
    /// Invite members, change their roles and remove them.
    case manageUsers
    /// Create and revoke API keys.
    case manageKeys
    /// Create the secret with which a publisher's server asks about an app's
    /// receipts.
    case manageAppSecrets
    /// Create the secret that opens the receipts of all of a team's apps.
    case manageTeamSecrets
    /// See who has changed what.
    case viewAudit
    /// See the review queue of all teams, and decide.
    case review
    /// Publish and reject what customers write about items of all teams.
    case moderateReviews
    /// Answer what customers write about one's own items.
    case respondToReviews
    /// Manage affiliates, and see what they earn.
    case manageAffiliates
    /// Manage teams and staff, and take products of others off sale.
    case operate
    /// Manage who may fetch the partner feed.
    case managePartners
    /// Decide on refunds, and reverse them.
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
