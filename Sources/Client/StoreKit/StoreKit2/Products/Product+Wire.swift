import StoreModel
import StoreWire

extension Product {
    /// A product as the store answers it.
    ///
    /// - Parameter storefront: the alpha-3 code of the storefront that texts and prices are for.
    /// - Throws: `JSONBacking.Missing` if the store answered what no product can be, such as a
    ///   price below zero.
    init(_ product: WireProduct, storefront: String) throws {
        let json: JSONValue = product.catalogueJSON(storefront: storefront)
        try self.init(JSONBacking(data: json.encoded(), value: json))
    }
}

extension ProductsAnswer {
    /// The products. One that can't be any is left out.
    ///
    /// - Parameter log: hears of what is left out.
    func values(log: (String) -> Void) -> [Product] {
        products.compactMap { product in
            do { return try Product(product, storefront: storefront) } catch {
                log(
                    "The store's answer about \(product.productId) can't be used: its price, its "
                        + "period or something else that each product has is missing or wrong.")
                return nil
            }
        }
    }
}

extension WireProduct {
    /// The product in the form of the App Store's catalogue.
    fileprivate func catalogueJSON(storefront: String) -> JSONValue {
        var attributes: [String: JSONValue] = [
            "offerName": .string(productId),
            "name": .string(title),
            "description": ["standard": .string(description)],
            "kind": .string(type),
            "icuLocale": .text(PriceLocale.identifier(locale, currency: price.currency)),
            "isFamilyShareable": familyShareable ? 1 : 0,
            "isSubscription": subscription == nil ? 0 : 1,
            "offers": [.object(offer)],
        ]
        if let subscription {
            attributes["subscriptionFamilyId"] = .string(subscription.groupID)
            attributes["subscriptionFamilyName"] = .string(subscription.groupName)
            attributes["subscriptionFamilyRank"] = .integer(subscription.level)
        }
        return [
            "id": .string(String(number)),
            "type": "in-apps",
            "href": .string("/v1/catalog/\(storefront.lowercased())/in-apps/\(number)"),
            "attributes": .object(attributes.filter { $1 != .null }),
        ]
    }

    private var offer: [String: JSONValue] {
        var offer: [String: JSONValue] = prices(price)
        offer["type"] = "buy"
        offer["currencyCode"] = .string(price.currency)
        if let subscription {
            offer["recurringSubscriptionPeriod"] = .string(subscription.period.iso8601)
            offer["billingPlanType"] = .string(
                Product.SubscriptionInfo.BillingPlanType.upFront.rawValue)
            let discounts: [JSONValue] = subscription.offers.compactMap(discount)
            if !discounts.isEmpty { offer["discounts"] = .array(discounts) }
        }
        return offer
    }

    /// An offer of the subscription; nil for one of a code, which the customer enters elsewhere.
    private func discount(_ offer: StoreModel.SubscriptionOffer) -> JSONValue? {
        let type: Product.SubscriptionOffer.OfferType
        switch offer.kind {
        case .introductory: type = .introductory
        case .promotional: type = .promotional
        case .winBack: type = .winBack
        case .code: return nil
        }
        let mode: Product.SubscriptionOffer.PaymentMode =
            switch offer.paymentMode {
            case .payAsYouGo: .payAsYouGo
            case .payUpFront: .payUpFront
            case .freeTrial: .freeTrial
            }
        var discount: [String: JSONValue] = prices(
            Money(thousandths: offer.thousandths, currency: price.currency))
        discount["type"] = .string(type.rawValue)
        discount["modeType"] = .string(mode.rawValue)
        discount["numOfPeriods"] = .integer(offer.periodCount)
        discount["recurringSubscriptionPeriod"] = .string(offer.period.iso8601)
        if type != .introductory { discount["offerId"] = .text(offer.identifier) }
        return .object(discount.filter { $1 != .null })
    }

    /// An amount under the keys of both forms that the App Store writes; `priceFormatted` is made
    /// of it when somebody asks for it.
    private func prices(_ amount: Money) -> [String: JSONValue] {
        [
            "price": .number(Double(amount.thousandths) / 1000),
            "priceString": .string("\(amount.decimal)"),
        ]
    }
}

extension JSONValue {
    /// A product as the store answered it, with prices as people read them; nil for JSON that has
    /// them.
    func withDisplayPrices() -> JSONValue? {
        guard var product = members, var attributes = product["attributes"]?.members,
            let offers = attributes["offers"]?.elements,
            offers.first?["priceFormatted"] == nil,
            let locale = CatalogueLocale(attributes: .object(attributes))
        else { return nil }
        attributes["offers"] = .array(offers.map { $0.withDisplayPrice(in: locale) })
        product["attributes"] = .object(attributes)
        return .object(product)
    }

    /// An offer or a discount with its price, and those of its discounts.
    private func withDisplayPrice(in locale: CatalogueLocale) -> JSONValue {
        guard var offer = members, let price = try? price(in: locale).1 else { return self }
        offer["priceFormatted"] = .string(price.text)
        if let discounts = offer["discounts"]?.elements {
            offer["discounts"] = .array(discounts.map { $0.withDisplayPrice(in: locale) })
        }
        return .object(offer)
    }
}
