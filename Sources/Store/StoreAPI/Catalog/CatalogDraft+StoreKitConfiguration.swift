import StoreCore
import StoreModel
import StoreWire

extension CatalogDraft {
    /// A catalog from a `.storekit` file.
    ///
    /// A price that is one of the price list's in the file's storefront is sold at that
    /// tier everywhere; any other price only in the file's storefront, which `warnings`
    /// says.
    ///
    /// - Parameters:
    ///   - state: the state of products that are new.
    package init(
        _ configuration: StoreKitConfiguration, teamName: String, bundleID: BundleID,
        appName: String, state: ProductState, warnings: inout [String]
    ) {
        let storefront = configuration.storefront
        let products = configuration.items.map { item -> ProductDraft in
            let price = Money(thousandths: item.thousandths, currency: storefront.currency)
            let prices: PriceSchedule
            if let tier = PriceTier.priced(price, in: storefront) {
                prices = PriceSchedule(
                    tier: tier.identifier, baseTerritory: storefront.code)
            } else {
                prices = PriceSchedule(amounts: [storefront.code: item.thousandths])
                warnings.append(
                    "\(item.productID) costs \(price.formatted(locale: storefront.locale)), which is "
                        + "no price of the price list: it is sold in \(storefront.code) only")
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
