import StoreCore
import StoreModel
import StoreWire

extension CatalogDraft {
    /// A catalog from a `.storekit` file.
    ///
    /// A price that is one of the price list's in the file's storefront is sold at that
    /// tier everywhere; any other price only in the file's storefront, or for tests elsewhere at the
    /// closest tier.
    ///
    /// - Parameters:
    ///   - state: the state of products that are new.
    ///   - isForTests: whether nobody pays, and products are to be had in every storefront.
    ///   - warnings: gets what is taken in another way than Apple's store would, or passed over.
    package init(
        _ configuration: StoreKitConfiguration, teamName: String, bundleID: BundleID,
        appName: String?, state: ProductState, isForTests: Bool = false,
        warnings: inout [String]
    ) {
        let storefront = configuration.storefront
        warnings += configuration.passedOver
        let products = configuration.items.map { item -> ProductDraft in
            let price = Money(thousandths: item.thousandths, currency: storefront.currency)
            let prices: PriceSchedule
            if let tier = PriceTier.priced(price, in: storefront) {
                prices = PriceSchedule(
                    tier: tier.identifier, baseTerritory: storefront.code)
            } else if isForTests {
                prices = PriceSchedule(amount: price, in: storefront)
            } else {
                prices = PriceSchedule(amounts: [storefront.code: item.thousandths])
                warnings.append(
                    "\(item.productID) costs \(price.formatted(locale: storefront.locale)), which is "
                        + "no price of the price list: it is sold in \(storefront.code) only")
            }
            for offer in item.subscription?.offers ?? [] where offer.thousandths > 0 {
                let price = Money(thousandths: offer.thousandths, currency: storefront.currency)
                guard PriceTier.priced(price, in: storefront) == nil else { continue }
                warnings.append(
                    "an offer of \(item.productID) costs "
                        + "\(price.formatted(locale: storefront.locale)), which is no price of the "
                        + "price list: it is had in \(storefront.code) only")
            }
            var texts: [String: ProductText] = [:]
            for text in item.texts {
                let title = text.title.isEmpty ? item.referenceName : text.title
                texts[text.locale] = ProductText(title: title, description: text.description)
            }
            if texts.isEmpty {
                texts[configuration.locale] = ProductText(
                    title: item.referenceName, description: "")
            }
            return ProductDraft(
                productID: item.productID, type: item.type, referenceName: item.referenceName,
                isFamilyShareable: item.isFamilyShareable, state: state,
                primaryLocale: configuration.locale, texts: texts, prices: prices,
                subscription: item.subscription)
        }
        self.init(
            teamName: teamName, bundleID: bundleID, appName: appName, products: products)
    }
}

extension StoreKitConfiguration {
    /// What of the file a store does not act on, each in a sentence for its publisher.
    var passedOver: [String] {
        var notes: [String] = []
        if !ignoredSettings.isEmpty {
            notes.append(
                "a store has no such settings, and passes them over: "
                    + Self.list(ignoredSettings))
        }
        return notes
    }

    /// What is said of products of the app that a file has not.
    package static func leftSentence(_ names: [String]) -> String {
        "the file has no \(list(names)): what the store has of the app stays as it is; openstore "
            + "product remove takes it off sale"
    }

    /// The first of some names, and how many more there are.
    private static func list(_ names: [String]) -> String {
        names.prefix(20).joined(separator: ", ")
            + (names.count > 20 ? " and \(names.count - 20) more" : "")
    }

    /// The bundle identifier that the products' identifiers begin with in common, at least
    /// two components of it; nil where there is none.
    package var commonBundleID: BundleID? {
        let lists = items.map { $0.productID.text.split(scalar: ".") }
        guard var common = lists.first?.dropLast() else { return nil }
        for list in lists.dropFirst() {
            let shared = zip(common, list.dropLast()).prefix { $0 == $1 }.count
            common = common.prefix(shared)
        }
        return common.count >= 2 ? BundleID(common.joined(separator: ".")) : nil
    }
}
