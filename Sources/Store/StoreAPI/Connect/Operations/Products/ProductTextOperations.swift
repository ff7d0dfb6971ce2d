import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    static let texts = ResourceType(
        "inAppPurchaseLocalizations", at: "/v1/inAppPurchaseLocalizations",
        find: { call, id in
            let (record, locale) = try await call.text(id)
            return try Resource.text(locale, of: record, id: id)
        },
        relationships: [
            .one("inAppPurchaseV2") { call, wanted in
                Resource(try await call.text(wanted.id).record.summary)
            }
        ])

    /// The same as the API's second version shows them, which has them belong to versions.
    static let versionTexts = ResourceType(
        "inAppPurchaseLocalizations", at: "/v2/inAppPurchaseLocalizations",
        find: { call, id in
            let (revision, texts, locale) = try await call.versionText(id)
            guard let text = texts[locale] else { throw Resource.noText(id) }
            return Resource(locale, text, of: revision)
        },
        relationships: [
            .one("version") { call, wanted in
                Resource(try await call.versionText(wanted.id).revision)
            }
        ])

    static let versions = ResourceType(
        "inAppPurchaseVersions", at: "/v1/inAppPurchaseVersions",
        find: { call, id in Resource(try await call.revision(id).revision) },
        relationships: [
            .one("inAppPurchase") { call, wanted in
                Resource(try await call.revision(wanted.id).record.summary)
            },
            .many("localizations") { call, wanted in
                let (revision, record) = try await call.revision(wanted.id)
                let texts = revision.shownTexts(of: record)
                return try ListPage(
                    of: texts.keys.sorted().compactMap { locale in
                        texts[locale].map { Resource(locale, $0, of: revision) }
                    }, wanted.page)
            },
            .one("image") { call, wanted in
                let record = try await call.revision(wanted.id).record
                return try record.image.map { try Resource(version: $0, call) }
            },
            .many("images") { call, wanted in
                let record = try await call.revision(wanted.id).record
                let image = try record.image.map { try Resource(version: $0, call) }
                return try ListPage(of: image.map { [$0] } ?? [], wanted.page)
            },
        ])
}

extension ConnectOperation {
    static let productTexts: [ConnectOperation] = [
        reading(.texts), reading(.versionTexts), reading(.versions), changingTexts,
    ].flatMap { $0 }

    private static let changingTexts: [ConnectOperation] = [
        .create("/v1/inAppPurchaseLocalizations", .manageProducts) { call in
            let record = try await call.product(try call.data.one("inAppPurchaseV2"))
            return try await call.addText(to: record)
        },
        .update("/v1/inAppPurchaseLocalizations/{id}", .manageProducts) { call in
            let (record, locale) = try await call.text(call.id)
            let changed = try await call.changeText(locale, of: record.number)
            return try Resource.text(locale, of: changed, id: call.id)
        },
        .delete("/v1/inAppPurchaseLocalizations/{id}", .manageProducts) { call in
            let (record, locale) = try await call.text(call.id)
            _ = try await call.services.products.deleteText(
                locale: locale, of: record.number, by: call.actor)
        },
        .create("/v2/inAppPurchaseLocalizations", .manageProducts) { call in
            let (revision, record) = try await call.openRevision(call.data.one("version"))
            _ = try await call.addText(to: record)
            let locale = try ProductDetailRules.locale(try call.data.text("locale"))
            let changed = try await call.product(record.number.description)
            guard let text = changed.product.details.texts[locale] else {
                throw Resource.noText(locale)
            }
            return Resource(locale, text, of: revision)
        },
        .update("/v2/inAppPurchaseLocalizations/{id}", .manageProducts) { call in
            let (revision, _, locale) = try await call.versionText(call.id)
            let (open, record) = try await call.openRevision(String(revision.id))
            let changed = try await call.changeText(locale, of: record.number)
            guard let text = changed.product.details.texts[locale] else {
                throw Resource.noText(locale)
            }
            return Resource(locale, text, of: open)
        },
        .delete("/v2/inAppPurchaseLocalizations/{id}", .manageProducts) { call in
            let (revision, _, locale) = try await call.versionText(call.id)
            let (_, record) = try await call.openRevision(String(revision.id))
            _ = try await call.services.products.deleteText(
                locale: locale, of: record.number, by: call.actor)
        },
        .create("/v1/inAppPurchaseVersions", .manageProducts) { call in
            let record = try await call.product(try call.data.one("inAppPurchase"))
            return Resource(
                try await call.services.products.beginRevision(
                    of: record.number, by: call.actor))
        },
    ]
}

extension Resource {
    /// The publisher's texts of a product.
    static func texts(of record: ProductRecord) throws -> [Resource] {
        try record.product.details.texts.keys.sorted().map { locale in
            var id = CompoundIdentifier(record.number)
            id.l = locale
            return try text(locale, of: record, id: id.text)
        }
    }

    fileprivate static func text(
        _ locale: String, of record: ProductRecord, id: String
    ) throws -> Resource {
        guard let text = record.product.details.texts[locale] else { throw noText(id) }
        let state: RevisionState =
            switch record.textState(locale) {
            case .prepareForSubmission, .readyForReview, .developerRejected:
                .prepareForSubmission
            case .waitingForReview, .inReview, .accepted: .waitingForReview
            case .approved, .replaced: .approved
            case .rejected: .rejected
            }
        return Resource(
            .texts, id: id,
            [
                "name": .string(text.title), "description": .string(text.description),
                "locale": .string(ProductLocale.code(of: locale)),
                "state": .string(state.rawValue),
            ],
            links: [
                "inAppPurchaseV2": [
                    ResourceLink(type: "inAppPurchases", id: record.number.description)
                ]
            ])
    }

    fileprivate static func noText(_ id: String) -> ConnectRefusal {
        .notFound("localization", String(id.prefix(100)))
    }

    /// A text of a version.
    fileprivate init(_ locale: String, _ text: ProductText, of revision: ProductRevision) {
        var id = CompoundIdentifier(revision.product)
        id.l = locale
        id.v = revision.id
        self.init(
            .versionTexts, id: id.text,
            [
                "name": .string(text.title), "description": .string(text.description),
                "locale": .string(ProductLocale.code(of: locale)),
            ],
            links: [
                "version": [ResourceLink(type: "inAppPurchaseVersions", id: String(revision.id))]
            ])
    }

    init(_ revision: ProductRevision) {
        self.init(
            .versions, id: String(revision.id),
            ["version": .integer(revision.number), "state": .string(revision.state.rawValue)],
            links: [
                "inAppPurchase": [
                    ResourceLink(type: "inAppPurchases", id: revision.product.description)
                ]
            ])
    }
}

extension ProductRevision {
    /// Its texts as submitted; those of one that is being made are the publisher's.
    fileprivate func shownTexts(of record: ProductRecord) -> [String: ProductText] {
        state.isEditable ? record.product.details.texts : texts
    }
}

extension ConnectCall {
    /// What an identifier of a text stands for.
    fileprivate func text(_ id: String) async throws -> (record: ProductRecord, locale: String) {
        guard let key = CompoundIdentifier(id), let number = key.product, let locale = key.l,
            key.v == nil
        else { throw Resource.noText(id) }
        let record = try await product(number.description)
        guard record.product.details.texts[locale] != nil else { throw Resource.noText(id) }
        return (record, locale)
    }

    /// What an identifier of a version's text stands for.
    fileprivate func versionText(
        _ id: String
    ) async throws -> (revision: ProductRevision, texts: [String: ProductText], locale: String) {
        guard let key = CompoundIdentifier(id), let number = key.v, let locale = key.l else {
            throw Resource.noText(id)
        }
        let (revision, record) = try await revision(String(number))
        let texts = revision.shownTexts(of: record)
        guard revision.product == key.product, texts[locale] != nil else {
            throw Resource.noText(id)
        }
        return (revision, texts, locale)
    }

    fileprivate func revision(
        _ id: String
    ) async throws -> (revision: ProductRevision, record: ProductRecord) {
        let missing = ConnectRefusal.notFound("version", String(id.prefix(100)))
        guard let number = ProductNumber(id)?.number else { throw missing }
        return try await services.products.revision(number, by: actor)
    }

    /// A version that may be changed.
    ///
    /// - Throws: `ConnectRefusal` with `revisionState` for one of the others.
    fileprivate func openRevision(
        _ id: String
    ) async throws -> (revision: ProductRevision, record: ProductRecord) {
        let (revision, record) = try await revision(id)
        _ = try RevisionRules.state(of: record.id.text, after: .edit, from: revision.state)
        return (revision, record)
    }

    fileprivate func addText(to record: ProductRecord) async throws -> Resource {
        let code = try data.text("locale")
        let changed = try await services.products.addText(
            ProductText(
                title: try data.text("name"), description: data.optionalText("description") ?? ""
            ), locale: code, to: record.number, by: actor)
        var id = CompoundIdentifier(record.number)
        let locale = try ProductDetailRules.locale(code)
        id.l = locale
        return try Resource.text(locale, of: changed, id: id.text)
    }

    fileprivate func changeText(
        _ locale: String, of product: ProductNumber
    ) async throws -> ProductRecord {
        try await services.products.updateText(
            title: data.optionalText("name"),
            description: data.change("description").map { $0 ?? "" }, locale: locale,
            of: product, by: actor)
    }
}
