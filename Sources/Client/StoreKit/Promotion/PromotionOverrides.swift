/// What the app has set for the promotion of its products, on this device.
struct PromotionOverrides: Sendable {
    let device: StoreDevice

    private struct Content: Codable {
        /// Raw values by product identifier; products that are not in it have the default.
        var visibility: [String: Int] = [:]
        /// Product identifiers; empty for the order that the publisher has set.
        var order: [String] = []

        init() {}

        /// - Throws: `DecodingError`, also for a visibility that there is not: Swift takes any
        ///   number for a case of a C enum, and what looks at it then does anything.
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            visibility = try container.decode([String: Int].self, forKey: .visibility)
            order = try container.decode([String].self, forKey: .order)
            let known: [SKProductStorePromotionVisibility] = [.default, .show, .hide]
            for (product, raw) in visibility where !known.contains(where: { $0.rawValue == raw }) {
                throw DecodingError.dataCorruptedError(
                    forKey: .visibility, in: container,
                    debugDescription: "the visibility of \(product) is \(raw), which there is not")
            }
        }

        mutating func set(_ shown: SKProductStorePromotionVisibility, of product: String) {
            visibility[product] = shown == .default ? nil : shown.rawValue
        }

        mutating func setOrder(_ products: [String]) {
            var seen: Set<String> = []
            order = products.filter { seen.insert($0).inserted }
        }
    }

    private var record: DeviceRecord<Content> { DeviceRecord("promotions", of: device) }

    func visibility(of product: String) throws -> SKProductStorePromotionVisibility {
        let raw = try record.read()?.visibility[product] ?? 0
        return SKProductStorePromotionVisibility(rawValue: raw) ?? .default
    }

    func set(_ visibility: SKProductStorePromotionVisibility, of product: String) throws {
        try change { $0.set(visibility, of: product) }
    }

    func order() throws -> [String] {
        try record.read()?.order ?? []
    }

    /// Keeps the first place of a product that is named twice.
    func setOrder(_ products: [String]) throws {
        try change { $0.setOrder(products) }
    }

    /// Sets the order, and the visibility of each product in it, as one change.
    func setOrder(_ products: [(name: String, SKProductStorePromotionVisibility)]) throws {
        try change { content in
            content.setOrder(products.map(\.name))
            for (name, visibility) in products { content.set(visibility, of: name) }
        }
    }

    private func change(_ body: (inout Content) -> Void) throws {
        try record.update { content in
            var changed = content ?? Content()
            body(&changed)
            content = changed
        }
    }
}
