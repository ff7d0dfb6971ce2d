import StoreModel

/// Brings one product to what a file lists, inside the import's transaction.
///
/// After a refusal the rest is looked at no further; the transaction is taken back anyway.
struct ListedProductWriter {
    private let listed: ListedProduct
    private let app: App
    private let work: UnitOfWork
    /// What is looked at, for the line of a refusal.
    private var field: ListedProduct.Field = .productID
    private var differences: [ImportOutcome.Difference] = []

    init(_ listed: ListedProduct, in app: App, _ work: UnitOfWork) {
        self.listed = listed
        self.app = app
        self.work = work
    }

    /// A refusal with the line of what it is about.
    func problem(_ refusal: ConnectRefusal) -> ImportRefusal.Problem {
        ImportRefusal.Problem(
            line: listed.lines[field] ?? listed.line, productID: listed.productID, refusal)
    }

    /// - Parameter added: how many products the import would have added before.
    /// - Returns: nil where nothing changes.
    mutating func run(after added: Int) throws -> ImportOutcome? {
        let known = try work.products.number(of: listed.productID, in: app.id)
        let number = try known ?? make(after: added)
        guard try work.products.record(number)?.product.isDeleted == false else {
            throw ProductService.taken(listed.productID, isDeleted: true)
        }
        var product = try work.product(number)
        try checkType(of: product)
        if known != nil { try changeDetails(of: product) }
        try changeTexts(of: product)
        try changePrices(of: product)
        try changeAvailability(of: product)
        guard known == nil || !differences.isEmpty else { return nil }
        try product.settle()
        return ImportOutcome(
            line: listed.line, productID: listed.productID, kind: known == nil ? .added : .changed,
            differences: differences, state: product.record.state)
    }

    // MARK: The product itself

    private mutating func make(after added: Int) throws -> ProductNumber {
        try ProductService.checkRoom(in: app.id, beside: added, work)
        field = .name
        if listed.type == .autoRenewableSubscription, listed.subscription == nil {
            field = .type
            throw ConnectRefusal(
                .invalid, rule: "subscriptionTerms", field: "inAppPurchaseType",
                "The file can't say group and period of a new auto-renewable subscription.",
                help:
                    "Make it in the portal, or import a .storekit file, and list it here afterwards."
            )
        }
        field = .subscription
        let terms = try adopted()
        field = .name
        let record = try ProductService.make(
            NewProduct(
                productID: listed.productID.text, type: listed.type,
                referenceName: listed.referenceName ?? listed.productID.text,
                reviewNote: listed.reviewNote ?? "",
                isFamilyShareable: listed.isFamilyShareable ?? false,
                subscription: terms),
            in: app.id, work)
        differences.append(
            .init(
                "productId", before: nil,
                after: "\(listed.type.rawValue), \(record.summary.referenceName)"))
        return record.number
    }

    /// Group, level, period and offers of the file, with the group that the app has for its.
    private func adopted() throws -> SubscriptionTerms? {
        try listed.subscription.map {
            try SubscriptionGroups(of: app, work).adopt($0)
        }
    }

    private mutating func checkType(of product: EditedProduct) throws {
        field = .type
        guard product.record.summary.type == listed.type else {
            throw ConnectRefusal(
                .invalid, rule: "typeChanged", field: "inAppPurchaseType",
                "\(listed.productID) is of the type \(product.record.summary.type.rawValue) and can't "
                    + "become \(listed.type.rawValue).",
                help: "Give the new product an identifier of its own.")
        }
        field = .subscription
        if let terms = try adopted(), terms != product.record.product.details.subscription {
            throw ConnectRefusal(
                .invalid, rule: "subscriptionTerms", field: "subscription",
                "The file gives \(listed.productID) another group, level, period or offers than "
                    + "the store has.",
                help: "Change the subscription in the portal, and import its texts and prices.")
        }
    }

    private mutating func changeDetails(of product: EditedProduct) throws {
        let known = product.record.summary
        var change = ProductChange()
        if let name = listed.referenceName, name != known.referenceName {
            field = .name
            change.referenceName = try ProductDetailRules.referenceName(name)
            note("name", known.referenceName, change.referenceName)
        }
        if let isShareable = listed.isFamilyShareable, isShareable != known.isFamilyShareable {
            field = .familySharing
            change.isFamilyShareable = isShareable
            note("familySharable", "\(known.isFamilyShareable)", "\(isShareable)")
        }
        if let text = listed.reviewNote, text != known.reviewNote {
            field = .reviewNote
            let checked = try ProductDetailRules.reviewNote(text)
            if checked != known.reviewNote {
                change.reviewNote = checked
                note("reviewNote", known.reviewNote, checked)
            }
        }
        if change != ProductChange() { try ProductService.change(product, change) }
    }

    // MARK: Texts

    private mutating func changeTexts(of product: EditedProduct) throws {
        guard let listedTexts = listed.texts else { return }
        let known = product.record.product.details.texts
        var texts: [String: ProductText] = [:]
        for (code, text) in listedTexts.sorted(by: { $0.key < $1.key }) {
            field = .text(locale: code)
            // What is there may have come by a way with other rules.
            let locale = try storedLocale(code, known: known)
            texts[locale] = known[locale] == text ? text : try Self.checked(text)
        }
        field = .texts
        guard texts != known else { return }
        try ProductService.checkTexts(texts, of: product.record)
        try product.beginTextEdit()
        try work.products.setTexts(texts, of: product.number)
        for locale in Set(texts.keys).union(known.keys).sorted()
        where texts[locale] != known[locale] {
            let code = ProductLocale.code(of: locale)
            note(
                "inAppPurchaseLocalizations/\(code)", known[locale].map(Self.words),
                texts[locale].map(Self.words))
            try product.note(
                texts[locale] == nil
                    ? "text.delete" : known[locale] == nil ? "text.create" : "text.update",
                before: known[locale].map { "\(code): \(Self.words($0))" },
                after: texts[locale].map { "\(code): \(Self.words($0))" })
        }
    }

    /// Files may list a name without a description; the product then lacks one.
    private static func checked(_ text: ProductText) throws -> ProductText {
        guard text.description.isEmpty else { return try ProductDetailRules.text(text) }
        let title = try ProductDetailRules.text(
            ProductText(title: text.title, description: text.title)
        ).title
        return ProductText(title: title, description: "")
    }

    private func storedLocale(_ code: String, known: [String: ProductText]) throws -> String {
        let spelled = code.replacing(scalar: "-", with: "_")
        if known[spelled] != nil { return spelled }
        let near = listed.takesNearLanguages ? ListedLanguage.nearest(to: code) : nil
        return try ProductDetailRules.locale(near ?? code)
    }

    private static func words(_ text: ProductText) -> String {
        "\(text.title); \(text.description)"
    }

    // MARK: Sale

    private mutating func changePrices(of product: EditedProduct) throws {
        guard let prices = listed.prices else { return }
        field = .prices
        let known = product.record.product.details.prices
        let schedule = prices.schedule(over: known, at: work.now)
        guard schedule != known else { return }
        try work.actor.require(.managePrices)
        guard !schedule.base.isEmpty else {
            throw ConnectRefusal(
                .invalid, rule: "basePriceMissing", field: "prices",
                "WW, which is all other territories, has no price tier.",
                help: "Give it one; cleared_for_sale false keeps it from being sold there.")
        }
        let checked = try PriceRules.checked(schedule, known: known)
        try product.beginSaleEdit()
        try work.products.setPrices(checked, of: product.number)
        note("prices", ProductService.words(known), ProductService.words(checked))
        try product.note(
            "price.set", before: ProductService.words(known), after: ProductService.words(checked))
    }

    private mutating func changeAvailability(of product: EditedProduct) throws {
        guard let availability = listed.availability else { return }
        field = .availability
        let known = product.record.product.availability
        guard availability != known else { return }
        try product.checkAvailabilityChange()
        try product.beginSaleEdit()
        try work.products.setAvailability(availability, of: product.number)
        note("availability", known.words, availability.words)
        try product.note(
            "availability.set", before: known.words,
            after: availability.words)
    }

    private mutating func note(_ field: String, _ before: String?, _ after: String?) {
        differences.append(
            .init(
                field, before: before.flatMap { $0.isEmpty ? nil : $0 },
                after: after.flatMap { $0.isEmpty ? nil : $0 }))
    }
}
