import Foundation
import StoreDatabase
import StoreModel

/// An app as Connect shows it.
package struct AppRecord: Sendable, Hashable {
    package let app: App
    /// The bundle identifier that it was made from.
    package let identifier: BundleIdentifierID
    package let sku: String
    package var primaryLocale: ConnectLocale
    package var attributes: AppAttributes
}

extension AppRecord: Record {
    package static let table: StaticString = "app"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        app = try column.part(\.app)
        identifier = try column("identifier", \.identifier)
        sku = try column("sku", \.sku, .immutable)
        primaryLocale = try column("primary_locale", \.primaryLocale)
        attributes = try column.part(\.attributes)
    }
}

/// What a publisher says about an app beside its name.
package struct AppAttributes: Sendable, Hashable {
    /// Nil where nothing was declared.
    package var contentRights: ContentRights?
    /// Whether it is, or ever was, in the category for children.
    package var isMadeForKids: Bool = false
    /// Where the store reports changes of subscriptions.
    package var statusURL: StatusURL?
    package var sandboxStatusURL: StatusURL?
    /// Whether purchases that began outside of the app are finished by the store.
    package var isPurchasingStreamlined: Bool = true
    /// Where the publisher writes about accessibility.
    package var accessibilityURL: String?
}

extension AppAttributes: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        contentRights = try column("content_rights", \.contentRights)
        isMadeForKids = try column("made_for_kids", \.isMadeForKids)
        statusURL = try column.part(\.statusURL, prefix: "status_url")
        sandboxStatusURL = try column.part(\.sandboxStatusURL, prefix: "sandbox_status_url")
        isPurchasingStreamlined = try column("streamlined", \.isPurchasingStreamlined)
        accessibilityURL = try column("accessibility_url", \.accessibilityURL)
    }
}

/// Whether an app shows what belongs to others.
package enum ContentRights: String, Hashable, CaseIterable, TextColumnValue {
    case none = "DOES_NOT_USE_THIRD_PARTY_CONTENT"
    case usesOthers = "USES_THIRD_PARTY_CONTENT"
}

/// An address for notifications, and the version of their form.
package struct StatusURL: Sendable, Hashable {
    package enum Version: String, Hashable, CaseIterable, TextColumnValue {
        case v1 = "V1"
        case v2 = "V2"
    }

    package var url: String
    package var version: Version = .v2
}

/// With a prefix, `status_url` and `status_url_version`.
extension StatusURL: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        url = try column("", \.url)
        version = try column("_version", \.version)
    }
}

/// A language of texts in Connect, written as there, for example `en-US`.
package struct ConnectLocale: TextIdentifier, TextColumnValue {
    package static let name = "locale"
    package let text: String

    /// Nil for a language that Connect does not know; `en_US` is understood as well.
    package init?(_ text: String) {
        let text = text.replacing(scalar: "_", with: "-")
        guard Self.known.contains(text) else { return nil }
        self.text = text
    }

    /// The locale itself, or else one of the same language; nil where Connect knows neither.
    package init?(closestTo text: String) {
        if let exact = ConnectLocale(text) {
            self = exact
        } else {
            let language = text.prefix { $0 != "-" && $0 != "_" }
            let alike = Self.all.first { $0.text.prefix { $0 != "-" } == language }
            guard let alike else { return nil }
            self = alike
        }
    }

    /// The spelling of texts in the catalog, for example `en_US`.
    package var catalogSpelling: String { text.replacing(scalar: "-", with: "_") }

    /// The language's name in English.
    package var title: String { ProductLocale.name(of: catalogSpelling) }

    package static let americanEnglish = ConnectLocale("en-US")!

    /// All of them, sorted.
    package static let all: [ConnectLocale] = known.sorted().compactMap { ConnectLocale($0) }

    package static func sample(_ number: Int) -> ConnectLocale { all[number % all.count] }

    private static let known = Set(ProductLocale.all.map(\.code))
}

/// An app to be made.
package struct AppCreation: Sendable, Hashable {
    package var identifier: BundleIdentifierID
    package var sku: String
    package var name: String
    package var primaryLocale: String

    package init(identifier: BundleIdentifierID, sku: String, name: String, primaryLocale: String) {
        self.identifier = identifier
        self.sku = sku
        self.name = name
        self.primaryLocale = primaryLocale
    }
}

/// Which apps are wanted; an empty list of values stands for all.
package struct AppQuery: Sendable, Hashable {
    package enum Key: String, Sendable, Hashable, CaseIterable {
        case name, bundleId, sku
    }

    package var ids: [AppID] = []
    package var names: [String] = []
    package var bundleIDs: [String] = []
    package var skus: [String] = []
    package var versionStates: [AppVersionState] = []
    package var platforms: [AppPlatform] = []
    package var versions: [AppVersionID] = []
    /// Of some submission.
    package var submissionStates: [SubmissionState] = []
    /// Of a version in some submission.
    package var submissionPlatforms: [AppPlatform] = []
    /// A part of the name, the bundle identifier or the SKU, in any case; or the Apple ID of the
    /// app, or of one of its in-app purchases.
    package var search: String?
    package var order: ListOrder<Key> = ListOrder(.name)

    package init() {}
}
