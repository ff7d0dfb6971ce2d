import Foundation
import StoreModel

/// Those who send customers, and what they earn. Refusals are `ConnectRefusal`s.
package struct AffiliateService: Sendable {
    private let shop: Shop
    private let makeToken: @Sendable () throws -> String

    /// - Parameter makeToken: gives a fresh token that nobody guesses, of letters and digits.
    package init(
        database: any ShopDatabase, clock: any StoreClock,
        makeToken: @escaping @Sendable () throws -> String
    ) {
        shop = Shop(database: database, clock: clock)
        self.makeToken = makeToken
    }

    /// A page of all affiliates, the first made first.
    package func page(
        _ request: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<Affiliate> {
        try await shop.read(as: actor, requiring: .manageAffiliates) {
            try $0.affiliates.page(request)
        }
    }

    package func affiliate(_ id: Int64, by actor: ConnectActor) async throws -> Affiliate {
        try await shop.read(as: actor, requiring: .manageAffiliates) {
            try Self.open(id, $0)
        }
    }

    /// Adds an affiliate, whose links are credited from now on.
    ///
    /// - Parameter token: what stands in the links; nil for a fresh one.
    package func create(
        name: String, email: String, basisPoints: Int, token: String?, by actor: ConnectActor
    ) async throws -> Affiliate {
        try actor.require(.manageAffiliates)
        let token = try AffiliateRules.token(try token ?? makeToken())
        let name = try AffiliateRules.name(name)
        let email = try ConnectText.email(email)
        let share = try AffiliateRules.share(basisPoints)
        return try await shop.write(as: actor) { work in
            guard try !work.affiliates.isTaken(token) else {
                throw ConnectRefusal(
                    .taken, rule: "affiliateTokenTaken", field: "token",
                    "There is an affiliate with the token \(quoted(token)) already.",
                    help: "Choose another one; capital and small letters count as the same.")
            }
            let added = try work.affiliates.insert(
                Affiliate(
                    id: 0, token: token, name: name, email: email, basisPoints: share,
                    isActive: true, created: work.now))
            try work.note("affiliate.create", on: added.token, of: nil, after: Self.words(added))
            return added
        }
    }

    /// Changes an affiliate; what is nil stays. Sales that there were keep their share.
    package func change(
        _ id: Int64, name: String? = nil, email: String? = nil, basisPoints: Int? = nil,
        isActive: Bool? = nil, by actor: ConnectActor
    ) async throws -> Affiliate {
        try actor.require(.manageAffiliates)
        let name = try name.map(AffiliateRules.name)
        let email = try email.map(ConnectText.email)
        let share = try basisPoints.map(AffiliateRules.share)
        return try await shop.write(as: actor) { work in
            let before = try Self.open(id, work)
            var affiliate = before
            affiliate.name = name ?? before.name
            affiliate.email = email ?? before.email
            affiliate.basisPoints = share ?? before.basisPoints
            affiliate.isActive = isActive ?? before.isActive
            guard affiliate != before else { return before }
            try work.affiliates.update(affiliate)
            try work.note(
                "affiliate.update", on: affiliate.token, of: nil, before: Self.words(before),
                after: Self.words(affiliate))
            return affiliate
        }
    }

    /// What affiliates sold in production, by campaign, day (UTC) and currency.
    ///
    /// - Parameter affiliate: nil for all.
    package func report(
        of affiliate: Int64?, from first: CalendarDay, to last: CalendarDay,
        by actor: ConnectActor
    ) async throws -> [AffiliateReportLine] {
        try actor.require(.manageAffiliates)
        guard first <= last else {
            throw ConnectRefusal(
                .invalid, rule: "reportRangeBackwards", field: "to",
                "\(last) lies before \(first).", help: "Swap the two days.")
        }
        let days = (last.beginning.timeIntervalSince(first.beginning) / 86_400).rounded() + 1
        guard Int(days) <= AffiliateReport.longestRange else {
            throw ConnectRefusal(
                .invalid, rule: "reportRangeTooLong", field: "to",
                "There are more than \(AffiliateReport.longestRange) days from \(first) to "
                    + "\(last).",
                help: "Ask for \(AffiliateReport.longestRange) days or fewer at once.")
        }
        return try await shop.read(as: actor) { work in
            if let affiliate { _ = try Self.open(affiliate, work) }
            let lines = try work.affiliates.report(
                of: affiliate, from: first, to: last, limit: AffiliateReport.lineLimit + 1)
            guard lines.count <= AffiliateReport.lineLimit else {
                throw ConnectRefusal(
                    .invalid, rule: "reportTooLong", field: "from",
                    "The report would have more than \(AffiliateReport.lineLimit) lines.",
                    help: "Ask for fewer days, or for one affiliate.")
            }
            return lines
        }
    }

    private static func open(_ id: Int64, _ repositories: StoreRepositories) throws -> Affiliate {
        try repositories.affiliates.find(id).orNotFound("affiliate", String(id))
    }

    private static func words(_ affiliate: Affiliate) -> String {
        let share = Decimal(affiliate.basisPoints) / 100
        return "\(affiliate.name) <\(affiliate.email)>, \(share) %"
            + (affiliate.isActive ? "" : ", not credited")
    }
}
