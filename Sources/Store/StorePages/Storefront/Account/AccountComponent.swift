import Foundation
import StoreCore
import StoreModel

/// What the pages about an account have in common: the heading, and the way to the others.
struct AccountComponent {
    enum Part: CaseIterable {
        case purchases, subscriptions, family

        var title: String {
            switch self {
            case .purchases: "Purchases"
            case .subscriptions: "Subscriptions"
            case .family: "Family"
            }
        }

        var path: String {
            switch self {
            case .purchases: "account"
            case .subscriptions: "account/subscriptions"
            case .family: "account/family"
            }
        }
    }

    let frame: StorefrontFrame

    func head(_ title: String, in part: Part) -> HTML {
        .group([
            .element("h1", title),
            ChoiceComponent(
                label: "Account",
                choices: Part.allCases.map {
                    (title: $0.title, path: frame.path($0.path), isHere: $0 == part)
                }
            ).html,
        ])
    }

    /// A link back, below a card.
    func back(to path: String, _ title: String) -> HTML {
        .element(
            "p", class: "back", [.element("a", [.init("href", frame.path(path))], title)])
    }

    /// A link that looks like a button.
    func button(_ title: String, to path: String, style: String = "button") -> HTML {
        .element("a", [.init("class", style), .init("href", frame.path(path))], title)
    }

    /// A moment, as closely as it matters: a tester's month lasts minutes.
    func moment(_ date: Date) -> HTML {
        frame.environment == .sandbox ? PortalFormatting.time(date) : PortalFormatting.day(date)
    }
}

/// An app as the storefront shows it: its icon, or the first letter of its name.
struct AppIconComponent {
    let name: String
    /// Nil where the storefront does not show the app.
    let item: StorefrontItem?
    let frame: StorefrontFrame

    func html(side: Int) -> HTML {
        if let item, item.artwork != nil {
            return ArtworkComponent(item: item, links: frame.links).html(side: side)
        }
        return .element(
            "span", [.init("class", "art icon blank"), .init("aria-hidden", "true")],
            String(name.first { $0.isLetter || $0.isNumber } ?? "•").uppercased())
    }
}

extension StorefrontVisit {
    /// The apps' items as the account's storefront shows them. An app's item has its number.
    func icons(of apps: [AppID], for account: Account) async throws -> [AppID: StorefrontItem] {
        let ids = Set(apps).map { ItemID(number: $0.number) }
        let found = try await services.storefront.items(ids, in: account.storefront)
        return Dictionary(
            found.compactMap { item in item.app.map { ($0.id, item) } },
            uniquingKeysWith: { first, _ in first })
    }
}
