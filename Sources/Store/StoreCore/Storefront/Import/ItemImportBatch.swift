import Foundation
import StoreModel

/// Lines of one transaction: artists first, then wholes, then their parts.
struct ItemImportBatch {
    private var writer: ItemWriter
    private let isLast: Bool
    private let makeMediaID: @Sendable () -> AssetID
    private(set) var outcome = ItemImportOutcome()
    /// Artists by name, so that each is looked up once.
    private var artists: [ArtistKey: ArtistID] = [:]

    private struct ArtistKey: Hashable {
        let name: String
        let type: ArtistType
        let number: Int64?
    }

    init(_ writer: ItemWriter, isLast: Bool, makeMediaID: @escaping @Sendable () -> AssetID) {
        self.writer = writer
        self.isLast = isLast
        self.makeMediaID = makeMediaID
    }

    /// - Throws: `ImportBatchRefusal` with all that is wrong.
    mutating func apply(_ lines: [ImportedLine]) throws {
        var problems: [ImportProblem] = []
        var ordered: [(line: ImportedLine, subject: ListedItem.Subject)] = []
        for line in lines {
            do {
                ordered.append((line, try line.item.subject()))
            } catch let refusal as ConnectRefusal {
                problems.append(ImportProblem(line: line.number, refusal: refusal))
            }
        }
        for turn in 0...2 {
            for (line, subject) in ordered where Self.turn(of: subject) == turn {
                do {
                    switch subject {
                    case .artist(let type): try applyArtist(line, type)
                    case .item(let kind): try applyItem(line, kind)
                    }
                } catch let refusal as ConnectRefusal {
                    problems.append(
                        ImportProblem(
                            line: line.number,
                            refusal: refusal.field == "title"
                                ? refusal.named(line.item.titleField(of: subject)) : refusal))
                }
            }
        }
        outcome.deferred.sort()
        guard problems.isEmpty else {
            throw ImportBatchRefusal(problems: problems.sorted { $0.line < $1.line })
        }
    }

    private static func turn(of subject: ListedItem.Subject) -> Int {
        switch subject {
        case .artist: 0
        case .item(let kind): kind.parentKind == nil ? 1 : 2
        }
    }

    // MARK: Artists

    private mutating func applyArtist(_ line: ImportedLine, _ type: ArtistType) throws {
        let item = line.item
        guard let name = item.artistName else {
            throw ItemRules.refusal(
                "nameMissing", "artistName", "The artist has no name.", "Give one.")
        }
        let genre = item.primaryGenreId.flatMap { Int(exactly: $0.value) }
        let checked = try ItemRules.checked(
            Artist(
                id: ArtistID(number: item.artistId?.value ?? 0), team: writer.team, name: name,
                type: type, genre: genre.flatMap { Genre.numbered($0) }?.id,
                amgArtistID: item.amgArtistId?.value))
        let known =
            if item.artistId != nil {
                try writer.work.items.artist(checked.id)
            } else {
                try writer.work.items.artist(named: checked.name, type: type, of: writer.team)
            }
        guard let known else {
            _ = try writer.create(checked, isNumbered: item.artistId != nil)
            outcome.artists += 1
            return
        }
        guard known.team == writer.team else {
            throw ConnectRefusal.notFound("artist", known.id.description)
        }
        var changed = known
        changed.name = checked.name
        changed.type = type
        changed.genre = checked.genre ?? known.genre
        changed.amgArtistID = checked.amgArtistID ?? known.amgArtistID
        guard changed != known else {
            outcome.unchanged += 1
            return
        }
        try writer.work.items.update(changed)
        outcome.changed += 1
    }

    /// The artist of a name, made where there is none.
    private mutating func artist(
        named name: String?, number: Int64?, madeFor kind: ItemKind
    ) throws -> ArtistID? {
        guard let name, !name.isEmpty else { return nil }
        let key = ArtistKey(name: name, type: ArtistType(makerOf: kind), number: number)
        if let known = artists[key] { return known }
        let items = writer.work.items
        if let number, let known = try items.artist(ArtistID(number: number)) {
            guard known.team == writer.team else {
                throw ConnectRefusal.notFound("artist", String(number))
            }
            artists[key] = known.id
            return known.id
        }
        let checked = try ItemRules.checked(
            Artist(
                id: ArtistID(number: number ?? 0), team: writer.team, name: name, type: key.type))
        if number == nil,
            let known = try items.artist(named: checked.name, type: key.type, of: writer.team)
        {
            artists[key] = known.id
            return known.id
        }
        let made = try writer.create(checked, isNumbered: number != nil)
        outcome.artists += 1
        artists[key] = made.id
        return made.id
    }

    // MARK: Items

    private mutating func applyItem(_ line: ImportedLine, _ kind: ItemKind) throws {
        let listed = line.item
        var details = try listed.details(of: kind)
        if let parent = listed.parentNumber(of: kind) {
            if try writer.work.items.item(ItemID(number: parent)) == nil {
                guard isLast else { return outcome.deferred.append(line.number) }
                try makeParent(parent, of: listed, kind)
            }
            details.parent = ItemID(number: parent)
        }
        details = try ItemRules.checked(details)
        details.artist = try artist(
            named: listed.artistName, number: listed.artistId?.value, madeFor: kind)
        let state = try listed.itemState()
        let item: Item
        var isOffered = state == .onSale
        if let known = try known(listed.number(of: kind), details) {
            details.app = known.details.app
            if details.app != nil { details.bundleID = known.details.bundleID }
            item = try writer.change(known, to: details, state: state)
            isOffered =
                item.state == .onSale
                && (known.state != .onSale || known.details.prices != details.prices)
            if item == known { outcome.unchanged += 1 } else { outcome.changed += 1 }
        } else {
            item = try writer.create(
                details, id: listed.number(of: kind).map { ItemID(number: $0) }, state: state)
            outcome.created += 1
        }
        try place(line.media, on: item.id)
        guard isOffered, let obstacle = try writer.work.offerObstacle(of: item) else {
            return
        }
        // The songs of an album may stand further below; until one is there, it is not sold.
        if obstacle == .nothingToFetch, kind.isCollection { return }
        throw obstacle.refusal(of: item.id).named(
            obstacle == .nothingToFetch ? "download" : "state")
    }

    /// The item that a line is about, where the store has it.
    private func known(_ number: Int64?, _ details: ItemDetails) throws -> Item? {
        let items = writer.work.items
        var found: Item?
        if let number { found = try items.item(ItemID(number: number)) }
        if found == nil, details.kind == .software || details.kind == .macSoftware,
            let bundleID = details.bundleID
        {
            // An app has the number that it has here, wherever the line comes from.
            found = try items.items(items.ids(.bundleID(bundleID))).first {
                $0.team == writer.team && $0.details.kind == details.kind
                    && ($0.details.app != nil || number == nil)
            }
        }
        guard let found else { return nil }
        guard found.team == writer.team else {
            throw ConnectRefusal(
                .taken, rule: "itemOfOtherTeam", field: "trackId",
                "\(found.id) is an item of another team.",
                help: "Leave the number out: the store gives the item another one.")
        }
        return found
    }

    /// The album or season of a part, of what the part says of it.
    private mutating func makeParent(
        _ number: Int64, of part: ListedItem, _ kind: ItemKind
    ) throws {
        guard let parentKind = kind.parentKind, let name = part.collectionName else {
            throw ItemRules.refusal(
                "parentMissing", "collectionId",
                "There is no item \(number), and no collectionName to make it of.",
                "Put the album or season into the file, or give collectionName.")
        }
        var whole = part
        whole.wrapperType = "collection"
        whole.collectionName = name
        whole.price = nil
        whole.prices = nil
        whole.priceTier = nil
        whole.translations = nil
        whole.description = nil
        whole.longDescription = nil
        whole.shortDescription = nil
        (whole.subtitle, whole.releaseNotes, whole.upc, whole.isbn) = (nil, nil, nil, nil)
        (whole.discNumber, whole.trackNumber, whole.trackTimeMillis) = (nil, nil, nil)
        whole.fileSizeBytes = nil
        var details = try ItemRules.checked(whole.details(of: parentKind))
        details.amgVideoID = nil
        details.artist = try artist(
            named: part.collectionArtistName ?? part.artistName,
            number: part.collectionArtistName == nil
                ? part.artistId?.value : part.collectionArtistId?.value, madeFor: parentKind)
        _ = try writer.create(details, id: ItemID(number: number), state: try part.itemState())
        outcome.created += 1
    }

    /// Puts files in their places: those of a kind that the line names replace what there was.
    private mutating func place(_ media: [TakenMedia], on item: ItemID) throws {
        guard !media.isEmpty else { return }
        let work = writer.work
        for kind in ItemMedia.Kind.allCases {
            let ofKind = media.filter { $0.kind == kind }
            guard !ofKind.isEmpty else { continue }
            for (index, taken) in ofKind.enumerated() {
                _ = try ItemMediaService.place(
                    taken, id: makeMediaID(), position: index + 1, of: item, work)
                outcome.media += 1
            }
            let all = try work.itemMedia.media(of: [item])[item] ?? []
            for extra in all where extra.kind == kind && extra.position > ofKind.count {
                try work.itemMedia.delete(extra.id)
            }
        }
    }
}
