import StoreModel

/// Makes a product of its elements, and gathers what is wrong with their values.
struct ProductElementParser {
    private let element: MetadataElement
    private(set) var problems: [MetadataProblem] = []

    init(_ element: MetadataElement) {
        self.element = element
    }

    /// Reads each element, whatever is wrong with the others; nil where one can't be read.
    mutating func product() -> MetadataProduct? {
        let productID = value(
            "product_id", "letters, digits, _, . and -, at most 255", ProductID.init)
        let type = value("type", Self.types.map(\.name).joined(separator: ", ")) { text in
            Self.types.first { $0.name == text }?.type
        }
        let territories = territories()
        let texts = texts()
        let screenshot = element["review_screenshot"].flatMap { file($0) }
        let content = element["software_assets"]?["asset"]?["data_file"].flatMap { file($0) }
        guard let productID, let type else { return nil }
        let readOnly = (element["read_only_info"]?.children ?? []).map {
            ($0.tag["key"] ?? "", $0.value)
        }
        return MetadataProduct(
            productID: productID, type: type,
            referenceName: element["reference_name"]?.value ?? "", territories: territories,
            texts: texts, reviewNotes: element["review_notes"]?.value,
            reviewScreenshot: screenshot, content: content,
            readOnly: Dictionary(readOnly, uniquingKeysWith: { first, _ in first }),
            lines: MetadataLines(
                product: element.line,
                elements: Dictionary(
                    element.children.map { ($0.name, $0.line) },
                    uniquingKeysWith: { first, _ in first }),
                locales: Dictionary(
                    (element["locales"]?.children ?? []).map { ($0.tag["name"] ?? "", $0.line) },
                    uniquingKeysWith: { first, _ in first })))
    }

    /// The names of types in the file; `subscription` is one that doesn't renew.
    static let types: [(name: String, type: ProductType)] = [
        ("consumable", .consumable), ("non-consumable", .nonConsumable),
        ("auto-renewable", .autoRenewableSubscription), ("subscription", .nonRenewingSubscription),
    ]

    // MARK: Values

    private mutating func report(_ line: Int, _ problem: String) {
        problems.append(MetadataProblem(line: line, problem))
    }

    private mutating func value<Value>(
        _ name: String, _ allowed: String, _ make: (String) -> Value?
    ) -> Value? {
        element[name].flatMap { value(of: $0, allowed, make) }
    }

    private mutating func value<Value>(
        of element: MetadataElement, _ allowed: String, _ make: (String) -> Value?
    ) -> Value? {
        let value = make(element.value)
        if value == nil {
            report(
                element.line,
                "<\(element.name)> is \(MarkupText.shown(element.value)); allowed: \(allowed)")
        }
        return value
    }

    private mutating func file(_ element: MetadataElement) -> MetadataAttachment? {
        guard let name = element["file_name"], let size = element["size"],
            let checksum = element["checksum"]
        else { return nil }
        let nameValue = value(of: name, "a name without folders, at most 255 bytes") { text in
            FileName.isValid(text) ? text : nil
        }
        let sizeValue = value(of: size, "a number of bytes") { text in
            Int64(text).flatMap { $0 > 0 ? $0 : nil }
        }
        let digits = value(of: checksum, "32 hexadecimal digits") { text in
            let text = text.lowercased()
            let isHex = text.utf8.allSatisfy { Self.hexDigits.contains($0) }
            return isHex && text.utf8.count == 32 ? text : nil
        }
        if let type = checksum.tag["type"], type != "md5" {
            report(
                checksum.line,
                "the checksum is of the type \(MarkupText.shown(type)); it must be \"md5\"")
        }
        guard let nameValue, let sizeValue, let digits else { return nil }
        return MetadataAttachment(name: nameValue, size: sizeValue, md5: digits)
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    // MARK: Texts

    private mutating func texts() -> [MetadataText]? {
        guard let locales = element["locales"] else { return nil }
        var seen: Set<String> = []
        return locales.children.compactMap { locale in
            guard let name = locale.tag["name"], let title = locale["title"] else { return nil }
            guard seen.insert(name).inserted else {
                report(locale.line, "the locale \(MarkupText.shown(name)) stands here twice")
                return nil
            }
            return MetadataText(
                locale: name, title: title.value,
                description: locale["description"]?.value ?? "")
        }
    }

    // MARK: Sale and prices

    private mutating func territories() -> [MetadataTerritory] {
        var seen: Set<String> = []
        return (element["products"]?.children ?? []).compactMap { entry in
            guard let territory = territory(entry) else { return nil }
            guard seen.insert(territory.code).inserted else {
                report(entry.line, "the territory \(territory.code) stands here twice")
                return nil
            }
            return territory
        }
    }

    private mutating func territory(_ entry: MetadataElement) -> MetadataTerritory? {
        var storefront: Storefront?
        if let element = entry["territory"], element.value != "WW" {
            storefront = value(
                of: element, "WW, or the code of one of the store's territories, as in JP"
            ) { text in
                text == text.uppercased() ? Storefront.named(text) : nil
            }
            guard storefront != nil else { return nil }
        }
        let isCleared = entry["cleared_for_sale"].flatMap { flag in
            value(of: flag, "true or false") { ["true": true, "false": false][$0] }
        }
        guard let isCleared else { return nil }
        return MetadataTerritory(
            storefront: storefront, isClearedForSale: isCleared, prices: prices(of: entry))
    }

    private mutating func prices(of entry: MetadataElement) -> [MetadataPrice] {
        let tier = entry["wholesale_price_tier"]
        guard let intervals = entry["intervals"] else {
            return tier.flatMap { self.tier($0) }.map { [MetadataPrice(tier: $0)] } ?? []
        }
        if let tier {
            report(
                tier.line,
                "<product> holds both <wholesale_price_tier> and <intervals>; give one of them")
        }
        var prices: [MetadataPrice] = []
        for interval in intervals.children {
            let start = interval["start_date"].map { day($0) }
            let end = interval["end_date"].map { day($0) }
            let tier = interval["wholesale_price_tier"].flatMap { self.tier($0) }
            // What was no day was reported, and is nil inside.
            guard let tier, start != .some(nil), end != .some(nil) else { continue }
            let price = MetadataPrice(tier: tier, start: start ?? nil, end: end ?? nil)
            check(price, after: prices.last, line: interval.line)
            prices.append(price)
        }
        return prices
    }

    /// Intervals stand in the order of their beginning, and don't overlap.
    private mutating func check(_ price: MetadataPrice, after last: MetadataPrice?, line: Int) {
        if let start = price.start, let end = price.end, end <= start {
            report(line, "the interval ends on \(end), which is not after its start on \(start)")
        }
        guard let last else { return }
        guard let start = price.start else {
            return report(line, "the interval lacks <start_date>; only the first can")
        }
        if let before = last.start, start <= before {
            report(
                line,
                "the interval begins on \(start), which is not after \(before), where the one before it begins"
            )
        } else if let end = last.end, start < end {
            report(line, "the interval begins on \(start), before the one before it ends on \(end)")
        }
    }

    private mutating func tier(_ element: MetadataElement) -> String? {
        value(of: element, "a tier of the price list: 0 to 87, 510, 530, 550 to 590") { text in
            PriceTier.all.first { $0.identifier == text }?.identifier
        }
    }

    private mutating func day(_ element: MetadataElement) -> CalendarDay? {
        value(of: element, "a day, as in 2016-01-17") { CalendarDay($0) }
    }
}
