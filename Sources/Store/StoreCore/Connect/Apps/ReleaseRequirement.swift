import Foundation
import StoreModel

/// Something that a version of an app needs before it is submitted, approved and released:
/// nothing blank goes on sale.
package enum ReleaseRequirement: String, Sendable, Hashable, CaseIterable {
    /// A chosen build whose file the store has, so that customers get it.
    case build
    /// The app's store page, which keeps all that follows but the agreement.
    case storePage
    case category
    /// In the primary language.
    case description
    case artwork
    case supportURL
    /// The Free Apps agreement, or Paid Apps where the app costs something.
    case agreement

    /// The name that people read.
    package var title: String {
        switch self {
        case .build: "Build's file"
        case .storePage: "Store page"
        case .category: "Category"
        case .description: "Description"
        case .artwork: "Artwork"
        case .supportURL: "Support address"
        case .agreement: "Agreement"
        }
    }

    /// What to do, as one sentence.
    package var sentence: String {
        switch self {
        case .build: "Upload the app's file (openstore build upload FILE --app …)."
        case .storePage:
            "Create the app's store page (openstore item create --kind software --app …)."
        case .category: "Choose a category for the app's store page."
        case .description: "Describe the app in its primary language."
        case .artwork: "Add the app's artwork."
        case .supportURL: "Give the address at which customers get support."
        case .agreement:
            "Accept the Free Apps agreement, or Paid Apps where the app costs something."
        }
    }

    /// The page of Connect on which it is put right.
    ///
    /// - Parameter version: that is to go on sale.
    package func path(for app: App, version: AppVersionID) -> String {
        let page = "/connect/items/\(app.id.number)"
        return switch self {
        case .build: "/connect/apps/\(app.id.number)/versions/\(version)"
        case .storePage: "/connect/items/new?kind=software&app=\(app.id.number)"
        case .category, .supportURL: page
        case .description: "\(page)/texts"
        case .artwork: "\(page)/media"
        case .agreement: "/connect/agreements"
        }
    }
}

/// What is there of an app when one of its versions is to go on sale.
package struct ReleaseReadiness: Sendable, Hashable {
    /// Whether the store has the file of the chosen build.
    package var hasBuild: Bool
    /// What the storefront shows of the app; nil while it has no page.
    package var item: ItemDetails?
    package var hasArtwork: Bool
    /// Whether the agreement is in force that the app's price needs.
    package var hasAgreement: Bool

    /// Everything that is missing, in the order in which a publisher adds it.
    package var missing: [ReleaseRequirement] {
        ReleaseRequirement.allCases.filter { !fulfils($0) }
    }

    private func fulfils(_ requirement: ReleaseRequirement) -> Bool {
        switch requirement {
        case .build: hasBuild
        case .storePage: item != nil
        case .agreement: hasAgreement
        // Without a page one sentence says all.
        case .category: item.map { $0.genres.contains(where: Genre.isCategory) } ?? true
        case .description:
            item.map { !Self.isBlank($0.text(locale: $0.primaryLocale).description) } ?? true
        case .artwork: item == nil || hasArtwork
        case .supportURL: item.map { !Self.isBlank($0.facts.supportURL ?? "") } ?? true
        }
    }

    private static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    /// - Throws: `ConnectRefusal` with the rule `versionIncomplete` and all that is missing.
    package func check(_ version: ContentVersion) throws {
        let missing = missing
        guard let first = missing.first else { return }
        throw ConnectRefusal(
            .state, rule: "versionIncomplete", field: first.rawValue,
            "Version \(version) can't go on sale yet: "
                + missing.map { $0.title.lowercased() }.joined(separator: ", ")
                + (missing.count == 1 ? " is missing." : " are missing."),
            help: missing.map(\.sentence).joined(separator: " "))
    }
}

extension Genre {
    /// Whether a number is the one of a genre that an app can be in: the App Store as a whole is
    /// none.
    package static func isCategory(_ id: Int) -> Bool { numbered(id)?.parent != nil }
}

extension StoreRepositories {
    /// What is there of an app when one of its versions is to go on sale.
    package func releaseReadiness(of version: AppVersion, _ app: App) throws -> ReleaseReadiness {
        let item = try items.item(ItemID(number: app.id.number))
        let media = try item.map { try itemMedia.media(of: [$0.id])[$0.id] ?? [] } ?? []
        let costs = item.map { !$0.details.prices.isFree && !$0.details.prices.isForShow } ?? false
        let kinds: [Agreement.Kind] = costs ? [.paidApps] : Agreement.Kind.allCases
        let build = try version.build.flatMap { try appVersions.build($0) }
        return ReleaseReadiness(
            hasBuild: build?.file != nil, item: item?.details,
            hasArtwork: media.contains { $0.kind == .artwork },
            hasAgreement: try agreements.agreements(of: app.teamID).contains {
                kinds.contains($0.kind) && $0.state == .active
            })
    }
}
