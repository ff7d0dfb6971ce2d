import StoreCore
import StoreModel

extension StorefrontAnswers {
    /// Results of a search: whoever made items first, where they are asked for, then items.
    func rows(
        of search: SearchParameters, _ context: StorefrontContext, at generation: Int64
    ) async throws -> [[UInt8]] {
        guard search.hasMeaning else { return [] }
        var rows: [[UInt8]] = []
        var query = search.query(in: context.environment)
        if search.givesArtists {
            let artists = try await services.storefront.searchArtists(query)
            rows = artists.map {
                ArtistResult(
                    artist: $0, storefront: search.storefront, links: context.links
                ).json.bytes
            }
        }
        guard search.givesItems, rows.count < search.limit else { return rows }
        if search.givesArtists {
            query.kinds = search.entities.filter { !$0.givesArtists }
                .reduce(into: []) { $0.formUnion($1.kinds) }
            query.limit = search.limit - rows.count
        }
        let ids = try await found(query)
        let audience = ResultRows.Audience(
            storefront: search.storefront, locale: search.locale, context: context)
        let found = try await results.rows(ids, for: audience, at: generation)
        return rows + ids.compactMap { found[$0] }
    }

    /// The numbers of what a search finds: most results are written already.
    func found(_ query: ItemQuery) async throws -> [ItemID] {
        try await services.database.read { try $0.itemSearch.items(query) }
    }

    /// Results of a lookup: each item or artist that was found, with what is asked for behind it.
    func rows(
        of lookup: LookupParameters, _ context: StorefrontContext, at generation: Int64
    ) async throws -> [[UInt8]] {
        let audience = ResultRows.Audience(
            storefront: lookup.storefront, locale: lookup.locale, context: context)
        let named = try await ids(of: lookup.keys)
        let found = try await results.rows(
            named.flatMap { $0.1 }, for: audience, at: generation)
        var rows: [[UInt8]] = []
        var seenItems: Set<ItemID> = []
        var seenArtists: Set<ArtistID> = []
        for (key, ids) in named {
            var isItem = false
            for id in ids {
                guard let row = found[id] else { continue }
                isItem = true
                guard seenItems.insert(id).inserted else { continue }
                rows.append(row)
                rows += try await parts(of: id, lookup, for: audience, at: generation)
            }
            for artist in try await artists(of: key, isItem: isItem)
            where seenArtists.insert(artist.id).inserted {
                let result = ArtistResult(
                    artist: artist, storefront: lookup.storefront, links: context.links)
                rows.append(result.json.bytes)
                rows += try await works(of: artist, lookup, for: audience, at: generation)
            }
        }
        return rows
    }

    /// The items that each key names.
    private func ids(
        of keys: [LookupParameters.Key]
    ) async throws -> [(LookupParameters.Key, [ItemID])] {
        var named: [(LookupParameters.Key, [ItemID])] = []
        for key in keys {
            switch key {
            case .id(let number): named.append((key, [ItemID(number: number)]))
            case .amgArtist: named.append((key, []))
            case .item(let item): named.append((key, try await services.storefront.ids(item)))
            }
        }
        return named
    }

    private func artists(
        of key: LookupParameters.Key, isItem: Bool
    ) async throws -> [Artist] {
        switch key {
        case .id(let number):
            guard !isItem else { return [] }
            return try await services.storefront.artist(ArtistID(number: number)).map { [$0] } ?? []
        case .amgArtist(let number):
            return try await services.storefront.artists(amgArtistID: number)
        case .item: return []
        }
    }

    /// What belongs to an item: its songs or episodes, and who made it.
    private func parts(
        of id: ItemID, _ lookup: LookupParameters, for audience: ResultRows.Audience,
        at generation: Int64
    ) async throws -> [[UInt8]] {
        var rows: [[UInt8]] = []
        if lookup.givesArtists {
            let item = try await services.storefront.item(id, in: audience.storefront)
            if let artist = item?.artist {
                rows.append(
                    ArtistResult(
                        artist: artist, storefront: audience.storefront,
                        links: audience.context.links
                    ).json.bytes)
            }
        }
        let kinds = lookup.kinds
        guard kinds.contains(where: { $0.parentKind != nil }) else { return rows }
        let parts = try await storefront(audience.context).parts(
            of: id, in: audience.storefront, locale: audience.locale)
        for part in parts where kinds.contains(part.kind) && rows.count < lookup.limit {
            rows.append(results.row(part, for: audience, at: generation))
        }
        return rows
    }

    private func works(
        of artist: Artist, _ lookup: LookupParameters, for audience: ResultRows.Audience,
        at generation: Int64
    ) async throws -> [[UInt8]] {
        guard !lookup.kinds.isEmpty else { return [] }
        let works = try await storefront(audience.context).works(
            of: artist.id, kinds: lookup.kinds, by: lookup.order, limit: lookup.limit,
            in: audience.storefront, locale: audience.locale)
        return works.map { results.row($0, for: audience, at: generation) }
    }
}
