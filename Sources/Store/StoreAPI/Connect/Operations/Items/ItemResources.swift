import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// What customers browse.
    static let items = ResourceType(
        "items", at: "/openstore/v1/items", reading: .viewApps, shape: .items,
        find: { call, id in
            Resource(try await call.services.items.item(itemID(id), by: call.actor))
        },
        relationships: [
            .one("artist", to: "artists", isOptional: true) { call, wanted in
                let item = try await call.services.items.item(itemID(wanted.id), by: call.actor)
                guard let artist = item.details.artist else { return nil }
                return Resource(try await call.services.items.artist(artist, by: call.actor))
            },
            .one("parent", to: "items", isOptional: true) { call, wanted in
                let item = try await call.services.items.item(itemID(wanted.id), by: call.actor)
                guard let parent = item.details.parent else { return nil }
                return Resource(try await call.services.items.item(parent, by: call.actor))
            },
            .one("app", to: "apps", isOptional: true) { call, wanted in
                let item = try await call.services.items.item(itemID(wanted.id), by: call.actor)
                guard let app = item.details.app else { return nil }
                return Resource(own: try await call.services.apps.app(app, by: call.actor))
            },
            .many("media", to: "itemMedia") { call, wanted in
                let media = try await call.services.itemMedia.media(
                    of: itemID(wanted.id), by: call.actor)
                return try ListPage(of: media, wanted.page).map { Resource($0) }
            },
            .team { call, id in
                try await call.services.items.item(itemID(id), by: call.actor).team
            },
        ])

    /// Who makes items.
    static let artists = ResourceType(
        "artists", at: "/openstore/v1/artists", reading: .viewApps,
        shape: ResourceShape([
            "artistName": .text(1...ItemRules.longestTitle),
            "artistType": .choice(ArtistType.allCases.map(\.rawValue)),
            "primaryGenreId": .optional(.integer(1...99_999_999)),
            "amgArtistId": .optional(.integer(1...(1 << 53))),
        ]),
        find: { call, id in
            Resource(try await call.services.items.artist(artistID(id), by: call.actor))
        },
        relationships: [
            .team { call, id in
                try await call.services.items.artist(artistID(id), by: call.actor).team
            }
        ])

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func itemID(_ text: String) throws -> ItemID {
        guard let id = ItemID(text) else {
            throw ConnectRefusal.notFound("item", String(text.prefix(40)))
        }
        return id
    }

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func artistID(_ text: String) throws -> ArtistID {
        guard let id = ArtistID(text) else {
            throw ConnectRefusal.notFound("artist", String(text.prefix(40)))
        }
        return id
    }
}

extension ResourceShape {
    /// Prices by tier, and of single storefronts.
    private static let prices: AttributeForm = .object([
        "tier": .optional(.text(1...20)),
        "own": .list(.object(["territory": .text(3...3), "price": .text(1...40)])),
        "territories": .optional(.list(.text(3...3))),
    ])

    fileprivate static let items: ResourceShape = {
        var attributes: [String: AttributeForm] = [
            "kind": .choice(ItemKind.allCases.map(\.rawValue)),
            "state": .choice(ItemState.allCases.map(\.rawValue)),
            "primaryLocale": .text(2...20),
            "texts": .list(
                .object([
                    "locale": .text(2...20), "title": .text(1...ItemRules.longestTitle),
                    "subtitle": .text(0...ItemRules.longestTitle),
                    "description": .text(0...ItemRules.longestText),
                    "shortDescription": .text(0...ItemRules.longestText),
                    "releaseNotes": .text(0...ItemRules.longestText),
                ])),
            "genreIds": .list(.integer(1...99_999_999)),
            // In requests only: answers name the artist itself.
            "artistName": .optional(.text(1...ItemRules.longestTitle)),
            "explicitness": .choice(Explicitness.allCases.map(\.rawValue)),
            "prices": prices, "rentalPrices": .optional(prices),
            "popularity": .integer(0...(1 << 53)), "createdDate": .dateTime,
            "changedDate": .dateTime, "takenDownDate": .optional(.dateTime),
        ]
        for field in ItemField.all { attributes[field.name] = field.form.attribute }
        return ResourceShape(attributes)
    }()
}

extension ItemField.Form {
    /// How the API describes it; the store's rules are narrower.
    fileprivate var attribute: AttributeForm {
        switch self {
        case .text: .optional(.text(1...ItemRules.longestWord))
        case .url: .optional(.url)
        case .texts: .list(.text(1...ItemRules.longestWord))
        case .flag: .optional(.flag)
        case .number: .optional(.integer(0...1_000_000))
        case .count: .optional(.integer(0...(1 << 53)))
        case .time: .optional(.dateTime)
        }
    }
}

extension Resource {
    init(_ item: Item) {
        let details = item.details
        var attributes: [String: JSONValue] = [
            "kind": .string(details.kind.rawValue), "state": .string(item.state.rawValue),
            "primaryLocale": .string(details.primaryLocale),
            "texts": .array(
                details.texts.sorted { $0.key < $1.key }.map { locale, text -> JSONValue in
                    [
                        "locale": .string(locale), "title": .string(text.title),
                        "subtitle": .string(text.subtitle),
                        "description": .string(text.description),
                        "shortDescription": .string(text.shortDescription),
                        "releaseNotes": .string(text.releaseNotes),
                    ]
                }),
            "genreIds": .array(details.genres.map { JSONValue.integer($0) }),
            "explicitness": .string(details.explicitness.rawValue),
            "prices": details.prices.document,
            "rentalPrices": details.rentalPrices?.document ?? .null,
            "popularity": .integer(item.popularity), "createdDate": .time(item.created),
            "changedDate": .time(item.changed), "takenDownDate": .time(item.takenDown),
        ]
        for field in ItemField.all { attributes[field.name] = field.form.document(of: details) }
        func link(_ type: String, _ id: String?) -> [ResourceLink] {
            id.map { [ResourceLink(type: type, id: $0)] } ?? []
        }
        self.init(
            .items, id: item.id.description, attributes,
            links: [
                "artist": link("artists", details.artist?.description),
                "parent": link("items", details.parent?.description),
                "app": link("apps", details.app.map { String($0.number) }),
                "team": link("teams", String(item.team)),
            ])
    }

    init(_ artist: Artist) {
        self.init(
            .artists, id: artist.id.description,
            [
                "artistName": .string(artist.name), "artistType": .string(artist.type.rawValue),
                "primaryGenreId": .integer(artist.genre),
                "amgArtistId": .integer(artist.amgArtistID),
            ],
            links: ["team": [ResourceLink(type: "teams", id: String(artist.team))]])
    }
}

extension ItemField.Form {
    /// The value as the API shows it.
    fileprivate func document(of details: ItemDetails) -> JSONValue {
        switch self {
        case .text(let path), .url(let path): .text(details[keyPath: path])
        case .texts(let path): .texts(details[keyPath: path])
        case .flag(let path): .flag(details[keyPath: path])
        case .number(let path): .integer(details[keyPath: path])
        case .count(let path): .integer(details[keyPath: path])
        case .time(let path): .time(details[keyPath: path])
        }
    }
}

extension ItemPrices {
    fileprivate var document: JSONValue {
        var members: [String: JSONValue] = [
            "own": .array(
                own.sorted { $0.key < $1.key }.map { code, thousandths -> JSONValue in
                    let price = Money(thousandths: thousandths, currency: "")
                    return ["territory": .string(code), "price": .string("\(price.decimal)")]
                })
        ]
        if let tier { members["tier"] = .string(tier) }
        if let storefronts { members["territories"] = .texts(storefronts.sorted()) }
        return .object(members)
    }
}
