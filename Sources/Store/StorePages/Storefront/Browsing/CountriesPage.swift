import StoreModel

/// All countries' stores.
struct CountriesPage: Sendable {
    let visit: StorefrontVisit

    init(_ visit: StorefrontVisit) {
        self.visit = visit
    }

    var page: PublicPage {
        PublicPage {
            let frame = visit.frame
            let countries = Storefront.all.sorted { $0.name < $1.name }
            var page = StorefrontPage(
                "Countries",
                [
                    .element("h1", "Choose a country"),
                    .element(
                        "p", class: "lead",
                        "An account buys in the store of its own country."),
                    .element(
                        "ul", class: "places",
                        countries.map { country in
                            .element(
                                "li", [],
                                [
                                    .element(
                                        "a",
                                        [.init("href", frame.links.home(of: country))]
                                            + (country == frame.storefront
                                                ? [.init("aria-current", "true")] : []),
                                        country.name)
                                ])
                        }),
                ])
            page.returnPath = frame.path("countries")
            return .page(page)
        }
    }
}
