import StoreCore
import StoreModel
import StoreWire

extension ConnectOperation {
    /// What may be said of an item whenever.
    private static let changeable: [String] =
        ["primaryLocale", "texts", "genreIds", "explicitness", "prices", "rentalPrices"]
        + ItemField.all.map(\.name) + ["artistName", "artist", "parent"]

    static let items: [ConnectOperation] =
        reading(.items) + reading(.artists) + [
            .list(
                .items, .viewApps,
                filters: [
                    "kind": .choice(ItemKind.allCases.map(\.rawValue)),
                    "state": .choice(ItemState.allCases.map(\.rawValue)),
                ], searches: ["search": .text(1...200), "team": .teamFilter]
            ) { call in
                try await call.services.items.page(
                    of: try call.namedTeam(), ItemFilter(call.query), call.page(), by: call.actor
                ).map { Resource($0) }
            },
            .create(
                .items, .manageItems, required: ["kind", "texts", "genreIds"],
                optional: changeable.filter { !["texts", "genreIds"].contains($0) }
                    + ["state", "app", "team"]
            ) { call in
                let details = try ItemDetails(call.data)
                let state = try call.data.state() ?? .draft
                return Resource(
                    try await naming {
                        try await call.services.items.create(
                            details, artist: try call.data.artistName(),
                            id: details.app.map { ItemID(number: $0.number) }, state: state,
                            of: try await call.team(of: details), by: call.actor)
                    })
            },
            .update(.items, .manageItems, changing: changeable + ["state"]) { call in
                let data = call.data
                return Resource(
                    try await naming {
                        try await call.services.items.change(
                            ResourceType.itemID(call.id), state: try data.state(),
                            artist: try data.artistName(), by: call.actor
                        ) { try $0.change(by: data) }
                    })
            },
            .list(
                .artists, .viewApps,
                searches: ["name": .text(1...ItemRules.longestTitle), "team": .teamFilter]
            ) { call in
                guard let name = try call.query.one("name") else {
                    throw JSONAPIErrors.parameter(
                        "filter[name]", "Artists are found by their whole name.")
                }
                let found = try await call.services.items.artists(
                    named: name, of: try call.team(), by: call.actor)
                return try ListPage(of: found, call.page()).map { Resource($0) }
            },
            .create(
                .artists, .manageItems, required: ["artistName", "artistType"],
                optional: ["primaryGenreId", "amgArtistId", "team"]
            ) { call in
                Resource(
                    try await call.services.items.createArtist(
                        name: try call.data.text("artistName"), type: try call.data.artistType(),
                        genre: call.data.integer("primaryGenreId"),
                        amgArtistID: call.data.integer("amgArtistId").map { Int64($0) },
                        of: try call.team(), by: call.actor))
            },
            .update(
                .artists, .manageItems,
                changing: ["artistName", "artistType", "primaryGenreId", "amgArtistId"]
            ) { call in
                let data = call.data
                return Resource(
                    try await call.services.items.changeArtist(
                        ResourceType.artistID(call.id), by: call.actor
                    ) { artist in
                        if let name = data.optionalText("artistName") { artist.name = name }
                        if data.has("artistType") { artist.type = try data.artistType() }
                        if data.has("primaryGenreId") {
                            artist.genre = data.integer("primaryGenreId")
                        }
                        if data.has("amgArtistId") {
                            artist.amgArtistID = data.integer("amgArtistId").map { Int64($0) }
                        }
                    })
            },
        ]

    /// Does what may be refused by rules that name a part of a text, all of which the API has in
    /// one attribute.
    private static func naming(_ body: () async throws -> Item) async throws -> Item {
        do {
            return try await body()
        } catch let refusal as ConnectRefusal where textParts.contains(refusal.field ?? "") {
            throw ConnectRefusal(
                refusal.kind, rule: refusal.rule, field: "texts", refusal.problem,
                help: refusal.help)
        } catch let refusal as ConnectRefusal where refusal.field == "collectionId" {
            throw ConnectRefusal(
                refusal.kind, rule: refusal.rule, field: "parent", refusal.problem,
                help: refusal.help)
        }
    }

    private static let textParts: Set<String> = [
        "translations", "title", "subtitle", "description", "shortDescription", "releaseNotes",
    ]
}

extension ConnectCall {
    /// The team of a new item: the one that is named, that of its app, or the caller's.
    fileprivate func team(of details: ItemDetails) async throws -> Int64 {
        if let app = details.app, try namedTeam() == nil {
            return try await services.apps.app(app, by: actor).app.teamID
        }
        return try team()
    }
}

extension RequestResource {
    fileprivate func state() throws -> ItemState? {
        try optionalText("state").map { _ in
            try value("state", "DRAFT, ON_SALE or REMOVED", ItemState.init(rawValue:))
        }
    }

    /// The name of an item's artist, in the place of the artist itself.
    fileprivate func artistName() throws -> String? {
        guard let name = optionalText("artistName") else { return nil }
        guard !hasRelationship("artist") else {
            throw ConnectRefusal(
                .invalid, rule: "artistTwice", field: "artistName",
                "The artist is given by name and by number.", help: "Send one of them.")
        }
        return name
    }

    fileprivate func artistType() throws -> ArtistType {
        try value("artistType", "a type of artists", ArtistType.init(rawValue:))
    }
}

extension ItemFilter {
    /// What a list is asked for; the description has checked the values.
    fileprivate init(_ query: ConnectQuery) throws {
        self.init(
            kinds: Set((query.filter("kind") ?? []).compactMap(ItemKind.init(rawValue:))),
            states: Set((query.filter("state") ?? []).compactMap(ItemState.init(rawValue:))),
            search: try query.one("search"))
    }
}
