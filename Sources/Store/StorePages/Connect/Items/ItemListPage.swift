import StoreCore
import StoreModel

/// The items of a team; for the store's staff those of all.
enum ItemListPage {
    static func show(_ call: PortalCall) async throws -> PortalAnswer {
        let filter = ItemFilter(
            kinds: Set([call.query("kind").flatMap { ItemKind(rawValue: $0) }].compactMap(\.self)),
            states: Set(
                [call.query("state").flatMap { ItemState(rawValue: $0) }].compactMap(\.self)),
            search: call.query("search"))
        let found = try await call.services.items.page(
            of: call.actor.team, filter,
            PageRequest(limit: PortalPaging.size, cursor: call.query("page")), by: call.actor)
        var page = PortalPage(
            PortalSection.items.title,
            [
                PortalSearch(
                    "Title",
                    filters: [
                        ("kind", "Kind", options(ItemKind.allCases) { $0.title }),
                        ("state", "State", options(ItemState.allCases) { $0.title }),
                    ]
                ).html(call),
                table(found.items).html(call),
                PortalCursorPaging(
                    total: found.total, shown: found.items.count,
                    isFirst: call.query("page") == nil, next: found.next
                ).html(call),
            ], in: .items)
        page.lead = "What customers find in the store: apps, books, music, films and the rest."
        if call.actor.team != nil {
            page.actions = [
                .buttonLink("\(PortalSection.items.path)/new", "New Item", isMeant: true)
            ]
        }
        return .page(page)
    }

    private static func options<Value: RawRepresentable<String>>(
        _ values: [Value], _ title: (Value) -> String
    ) -> [PortalOption] {
        [PortalOption("", "All")] + values.map { PortalOption($0.rawValue, title($0)) }
    }

    private static func table(_ items: [Item]) -> PortalTable {
        PortalTable(
            PortalSection.items.title,
            columns: [
                .init("Title"), .init("Kind"), .init("Apple ID", isNumber: true), .init("Price"),
                .init("Changed"), .init("State"),
            ],
            rows: items.map { item in
                [
                    .link(
                        ItemTabs.path(item.id),
                        [.foreign(item.title, locale: item.details.primaryLocale)]),
                    .text(item.details.kind.title), .text(item.id.description),
                    .text(item.details.prices.words), PortalFormatting.day(item.changed),
                    item.badge.html,
                ]
            },
            none: ("No items", "There are none yet, or none match your search."))
    }
}

extension ItemPrices {
    /// What it costs, in a few words: in the storefront of the United States, or wherever.
    var words: String {
        func words(_ storefront: Storefront) -> String? {
            price(in: storefront).map {
                $0.thousandths == 0 ? "Free" : PortalFormatting.money($0)
            }
        }
        return words(.unitedStates) ?? Storefront.all.lazy.compactMap(words).first ?? "Not sold"
    }
}
