import Foundation
import StoreModel

/// The content of a `.storekit` file, Xcode's StoreKit configuration: versions 1.0, 1.1,
/// 1.2, 2.0, 3.0, 4.0 and 5.0.
package struct StoreKitConfiguration: Sendable {
    package struct Text: Sendable, Hashable {
        package var locale: String
        package var title: String
        package var description: String

        package init(locale: String, title: String, description: String) {
            self.locale = locale
            self.title = title
            self.description = description
        }
    }

    package struct Item: Sendable, Hashable {
        package var productID: ProductID
        package var type: ProductType
        package var referenceName: String
        package var isFamilyShareable: Bool
        package var texts: [Text]
        /// Thousandths of the currency of the file's storefront.
        package var thousandths: Int64
        package var subscription: SubscriptionTerms?

        package init(
            productID: ProductID, type: ProductType, referenceName: String,
            isFamilyShareable: Bool, texts: [Text], thousandths: Int64,
            subscription: SubscriptionTerms?
        ) {
            self.productID = productID
            self.type = type
            self.referenceName = referenceName
            self.isFamilyShareable = isFamilyShareable
            self.texts = texts
            self.thousandths = thousandths
            self.subscription = subscription
        }
    }

    /// A key by which tests sign for promotional offers.
    package struct OfferKey: Sendable, Hashable {
        package var identifier: String
        /// PKCS #8.
        package var key: Data

        package var pem: String {
            """
            -----BEGIN PRIVATE KEY-----
            \(key.base64EncodedString(options: .lineLength64Characters))
            -----END PRIVATE KEY-----

            """
        }
    }

    package var version: (major: Int, minor: Int)
    /// The key that the file has for promotional offers.
    package var offerKey: OfferKey?
    /// The storefront whose currency the prices are in.
    package var storefront: Storefront
    /// The locale of the file's settings, for example `en_US`.
    package var locale: String
    /// Names of settings that want something of Xcode's own store while it tests, which a store for
    /// everybody has not, for example `_failTransactionsEnabled`; and what no store here does: monthly
    /// billing plans.
    package var ignoredSettings: [String]
    package var items: [Item]

    /// The largest file that is read, in bytes: all of it is in memory.
    package static let sizeLimit = 16 << 20

    /// What is said of a larger one.
    package static let sizeProblem =
        "a .storekit file has at most \(sizeLimit >> 20) MB; import the products as metadata XML "
        + "with openstore product import, or in several files"

    /// Reads a file.
    ///
    /// - Throws: `StoreKitConfigurationError` with everything that is wrong, each with its
    ///   key path, or with the line where the text is not JSON.
    package init(data: Data) throws {
        guard data.count <= Self.sizeLimit else {
            throw StoreKitConfigurationError([Self.sizeProblem])
        }
        let root: JSONValue
        do {
            root = try JSONDecoder().decode(JSONValue.self, from: data)
        } catch {
            throw StoreKitConfigurationError([Self.syntaxProblem(error, in: data)])
        }
        let problems = ProblemList()
        let file = JSONNode(value: root, path: "", problems: problems)
        guard case .object = root else {
            throw StoreKitConfigurationError(["the file must hold a JSON object"])
        }
        version = Self.version(file["version"])
        let settings = file["settings"]
        storefront =
            settings["_storefront"].isAbsent
            ? .unitedStates
            : settings["_storefront"].text("the code of a storefront", Storefront.named)
                ?? .unitedStates
        locale = settings["_locale"].string(default: "en_US")
        ignoredSettings = Self.ignored(settings)
        offerKey = Self.offerKey(file["subscriptionOffersKeyPair"])

        var items: [Item] = []
        for node in file["products"].elements() + file["nonRenewingSubscriptions"].elements() {
            if let item = Self.item(node, isSubscription: false, in: storefront) {
                items.append(item)
            }
        }
        for group in file["subscriptionGroups"].elements() {
            for node in group["subscriptions"].elements() {
                let terms = Self.terms(node, group: group, in: storefront, locale: locale)
                if let item = Self.subscription(node, terms, in: storefront) {
                    items.append(item)
                    if Self.hasMonthlyPlan(node) {
                        ignoredSettings.append("billingPlans of \(item.productID)")
                    }
                }
            }
        }
        self.items = items
        var seen: Set<ProductID> = []
        for item in items where !seen.insert(item.productID).inserted {
            problems.add("", "the product identifier \(item.productID) is used twice")
        }
        guard problems.problems.isEmpty else {
            throw StoreKitConfigurationError(problems.problems)
        }
    }

    private static func offerKey(_ node: JSONNode) -> OfferKey? {
        guard !node.isAbsent, let identifier = node["id"].string(),
            let key = node["privateKey"].text("a key in Base64", { Data(base64Encoded: $0) })
        else { return nil }
        return OfferKey(identifier: identifier, key: key)
    }

    /// Settings that are read here, or in which Xcode only keeps its books.
    private static let otherSettings: Set = [
        "_applicationInternalID", "_compatibilityTimeRate", "_developerTeamID",
        "_lastSynchronizedDate", "_locale", "_storefront",
    ]

    private static func ignored(_ settings: JSONNode) -> [String] {
        guard case .object(let members) = settings.value else { return [] }
        return members.filter { !otherSettings.contains($0.key) && isOn($0.value) }.keys.sorted()
    }

    /// Whether a setting wants anything; an error to be made up says so by its member `enabled`.
    private static func isOn(_ value: JSONValue) -> Bool {
        switch value {
        case .null: false
        case .bool(let isOn): isOn
        case .number(let number): number != 0
        case .string(let text): !text.isEmpty
        case .array(let elements): elements.contains(where: isOn)
        case .object(let members):
            members["enabled"].map(isOn) ?? members.values.contains(where: isOn)
        }
    }

    /// Whether a subscription has what a store does not do: payments each month with a commitment for
    /// the period.
    private static func hasMonthlyPlan(_ subscription: JSONNode) -> Bool {
        subscription["billingPlans"].elements().contains {
            isMonthly($0) && $0["isEnabled"].bool(default: true)
        }
    }

    /// Whether a billing plan, or an offer of one, is paid monthly.
    private static func isMonthly(_ node: JSONNode) -> Bool {
        !node["billingPlanType"].isAbsent && node["billingPlanType"].string() == "MONTHLY"
    }

    private static func syntaxProblem(_ error: any Error, in data: Data) -> String {
        if let line = JSONValue.brokenLine(in: data) {
            return "the file is not JSON: line \(line) breaks its rules"
        }
        guard case DecodingError.dataCorrupted(let context) = error else {
            return "the file is not JSON: \(error)"
        }
        let underlying = context.underlyingError.map { $0 as NSError }
        let detail = underlying?.userInfo["NSDebugDescription"] as? String
        return "the file is not JSON: \(detail ?? context.debugDescription)"
    }

    private static func version(_ node: JSONNode) -> (major: Int, minor: Int) {
        guard let major = node["major"].integer(), let minor = node["minor"].integer(default: 0)
        else { return (0, 0) }
        guard (1...5).contains(major) else {
            node.report("version \(major).\(minor) is unknown; 1.0 to 5.0 can be read")
            return (major, minor)
        }
        return (major, minor)
    }

    private static let types: [String: ProductType] = [
        "Consumable": .consumable,
        "NonConsumable": .nonConsumable,
        "NonRenewingSubscription": .nonRenewingSubscription,
        "RecurringSubscription": .autoRenewableSubscription,
    ]

    private static func item(
        _ node: JSONNode, isSubscription: Bool, in storefront: Storefront
    ) -> Item? {
        let type = node["type"].text(
            "one of \(types.keys.sorted().joined(separator: ", "))", { types[$0] })
        let productID = node["productID"].text("a product identifier") { ProductID($0) }
        let price = price(node["displayPrice"], in: storefront)
        let texts = node["localizations"].elements().compactMap { text -> Text? in
            guard let locale = text["locale"].string() else { return nil }
            return Text(
                locale: locale, title: text["displayName"].string(default: ""),
                description: text["description"].string(default: ""))
        }
        if Set(texts.map(\.locale)).count != texts.count {
            node["localizations"].report("a locale is used twice")
        }
        let referenceName = node["referenceName"].string(default: productID?.text ?? "")
        let isFamilyShareable = node["familyShareable"].bool(default: false)
        if let type, (type == .autoRenewableSubscription) != isSubscription {
            node["type"].report(
                isSubscription
                    ? "only a RecurringSubscription belongs into a subscription group"
                    : "a RecurringSubscription belongs into a subscription group")
            return nil
        }
        guard let type, let productID, let price else { return nil }
        return Item(
            productID: productID, type: type, referenceName: referenceName,
            isFamilyShareable: isFamilyShareable, texts: texts, thousandths: price,
            subscription: nil)
    }

    /// What customers of the file's storefront pay, in thousandths.
    private static func price(_ node: JSONNode, in storefront: Storefront) -> Int64? {
        let amount = node.text("a price such as 0.99") { Money.thousandths($0) }
        guard let amount else { return nil }
        let price = Money(thousandths: amount, currency: storefront.currency)
        guard let problem = price.priceProblem else { return amount }
        node.report("\(price.decimal) is no price in \(storefront.code): \(problem)")
        return nil
    }

    // MARK: Subscriptions

    /// An item with its terms, which were read before, so that each problem is reported.
    private static func subscription(
        _ node: JSONNode, _ terms: SubscriptionTerms?, in storefront: Storefront
    ) -> Item? {
        guard var item = item(node, isSubscription: true, in: storefront), let terms else {
            return nil
        }
        item.subscription = terms
        return item
    }

    private static func terms(
        _ node: JSONNode, group: JSONNode, in storefront: Storefront, locale: String
    ) -> SubscriptionTerms? {
        let period = period(
            node["recurringSubscriptionPeriod"], "a subscription",
            among: SubscriptionPeriod.ofSubscriptions)
        let level = node["groupNumber"].positive(default: 1)
        let introductory =
            (node["introductoryOffer"].isAbsent ? [] : [node["introductoryOffer"]])
            // What is paid monthly with a commitment is not sold here, nor are its offers.
            + node["introductoryOffers"].elements().filter { !isMonthly($0) }
        var offers = introductory.compactMap { offer($0, kind: .introductory, in: storefront) }
        let named: [(SubscriptionOffer.Kind, JSONNode)] = [
            (.promotional, node["adHocOffers"]), (.code, node["codeOffers"]),
            (.winBack, node["winbackOffers"]),
        ]
        for (kind, list) in named {
            let those = list.elements().filter { !isMonthly($0) }
                .compactMap { offer($0, kind: kind, in: storefront) }
            var names: Set<String> = []
            for name in those.compactMap(\.identifier)
            where !name.isEmpty && !names.insert(name).inserted {
                list.report("two offers have the name \(name)")
            }
            offers += those
        }
        guard let period, let level, let groupID = group["id"].string() else { return nil }
        return SubscriptionTerms(
            groupID: groupID, groupName: name(of: group, in: locale) ?? groupID, level: level,
            period: period, offers: offers)
    }

    /// What customers read as a group's name: the text in the file's language, or any; without texts
    /// the name that its publisher has for it.
    private static func name(of group: JSONNode, in locale: String) -> String? {
        let texts = group["localizations"].elements().map { text in
            (text["locale"].string(default: ""), text["displayName"].string(default: ""))
        }.filter { !$0.1.isEmpty }
        let text = texts.first { $0.0 == locale } ?? texts.first
        let name = text?.1 ?? group["name"].string(default: "")
        return name.isEmpty ? nil : name
    }

    /// One of the periods that App Store Connect has.
    private static func period(
        _ node: JSONNode, _ owner: String, among allowed: [SubscriptionPeriod]
    ) -> SubscriptionPeriod? {
        let names = allowed.map(\.iso8601)
        let form =
            "a period of \(owner): \(names.dropLast().joined(separator: ", ")) or "
            + (names.last ?? "")
        return node.text(form) { text in
            SubscriptionPeriod(iso8601: text).flatMap { allowed.contains($0) ? $0 : nil }
        }
    }

    private static func offer(
        _ node: JSONNode, kind: SubscriptionOffer.Kind, in storefront: Storefront
    ) -> SubscriptionOffer? {
        let mode = node["paymentMode"].text("one of free, payAsYouGo, payUpFront") {
            SubscriptionOffer.PaymentMode(rawValue: $0)
        }
        let period = period(
            node["subscriptionPeriod"], "an offer", among: SubscriptionPeriod.ofOffers)
        let count = node["numberOfPeriods"].positive(default: 1)
        if let count, count > 12 { node["numberOfPeriods"].report("must be 12 at most") }
        let isFree = mode == .freeTrial || mode == nil && node["displayPrice"].isAbsent
        let thousandths = isFree ? 0 : price(node["displayPrice"], in: storefront)
        let identifier: String? =
            switch kind {
            case .introductory: nil
            case .code: node["referenceName"].string(default: "")
            case .promotional, .winBack: node["offerID"].string()
            }
        guard let mode, let period, let count, let thousandths else { return nil }
        return SubscriptionOffer(
            kind: kind, identifier: identifier, paymentMode: mode, period: period,
            periodCount: count, thousandths: thousandths,
            territory: isFree ? nil : storefront.code,
            customers: customers(of: node, kind),
            isStackable: kind == .code && node["isStackable"].bool(default: false) ? true : nil)
    }

    /// The customers who may have an offer; nil if its kind alone decides.
    private static func customers(
        of node: JSONNode, _ kind: SubscriptionOffer.Kind
    ) -> [SubscriptionOffer.Customer]? {
        if kind == .winBack { return node["isEligible"].bool(default: true) ? nil : [] }
        guard kind == .code, !node["eligibility"].isAbsent else { return nil }
        return node["eligibility"].elements().compactMap { element in
            element.text("one of new, existing, expired") {
                SubscriptionOffer.Customer(rawValue: $0)
            }
        }
    }
}

/// A `.storekit` file that can't be read, with all reasons.
package struct StoreKitConfigurationError: Error, Sendable, CustomStringConvertible {
    package let problems: [String]

    package init(_ problems: [String]) {
        self.problems = problems
    }

    package var description: String { problems.joined(separator: "\n") }
}
