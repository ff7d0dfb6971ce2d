import Foundation

/// A line of an import, with what its files were taken as.
package struct ImportedLine: Sendable {
    /// From 1 on.
    package let number: Int
    package let item: ListedItem
    package var media: [TakenMedia]

    package init(number: Int, item: ListedItem, media: [TakenMedia] = []) {
        self.number = number
        self.item = item
        self.media = media
    }
}

/// What is wrong with a line.
package struct ImportProblem: Sendable, Hashable, CustomStringConvertible {
    package let line: Int
    package let refusal: ConnectRefusal

    package init(line: Int, refusal: ConnectRefusal) {
        self.line = line
        self.refusal = refusal
    }

    package var description: String {
        let field = refusal.field.map { $0.isEmpty ? "" : "\($0): " } ?? ""
        return "line \(line): \(field)\(refusal)"
    }
}

/// Lines of which nothing was written, since some are wrong.
package struct ImportBatchRefusal: Error, Sendable {
    package let problems: [ImportProblem]

    package init(problems: [ImportProblem]) {
        self.problems = problems
    }
}

/// What a batch of lines changed.
package struct ItemImportOutcome: Sendable, Hashable {
    package var created = 0
    package var changed = 0
    package var unchanged = 0
    package var artists = 0
    package var media = 0
    /// Lines whose album or season was not there yet: to be tried again behind all others.
    package var deferred: [Int] = []

    package init() {}

    package mutating func add(_ other: ItemImportOutcome) {
        created += other.created
        changed += other.changed
        unchanged += other.unchanged
        artists += other.artists
        media += other.media
    }
}

/// Brings items into the store from lines: whole batches or nothing of them.
package struct ItemImportService: Sendable {
    private let shop: Shop
    private let files: any MediaFiles
    private let makeMediaID: @Sendable () -> AssetID

    /// - Parameter files: where the bytes of items' media lie.
    package init(
        database: any ShopDatabase, files: any MediaFiles, clock: any StoreClock,
        makeMediaID: @escaping @Sendable () -> AssetID
    ) {
        shop = Shop(database: database, clock: clock)
        self.files = files
        self.makeMediaID = makeMediaID
    }

    private static let firstTeam = "Publisher"

    /// The team that items are brought in for.
    ///
    /// The machine's owner makes the first team of a store by bringing something in, as with a
    /// catalog.
    ///
    /// - Parameter name: nil for the actor's own, or the only one of the store.
    package func team(named name: String?, by actor: ConnectActor) async throws -> Int64 {
        try actor.require(.manageItems)
        if actor == .machine,
            let made = try await shop.write(
                as: actor,
                { work -> Team? in
                    guard try !work.catalog.hasTeams() else { return nil }
                    return try work.catalog.save(
                        TeamDraft(name: name ?? Self.firstTeam, hasPaidAgreement: true))
                })
        {
            return made.id
        }
        return try await shop.read(as: actor) { work in
            guard let name else { return try work.team(for: nil) }
            guard let team = try work.catalog.team(named: name), actor.sees(team: team.id)
            else { throw ConnectRefusal.notFound("team", quoted(name)) }
            return team.id
        }
    }

    /// Writes a batch in one transaction.
    ///
    /// - Parameter isLast: whether nothing follows that a line could wait for: albums and seasons
    ///   that are missing are then made of what their parts say of them.
    /// - Throws: `ImportBatchRefusal`, `ContentFilesMissing` where bytes of media were taken away
    ///   since they came, or what breaks.
    package func apply(
        _ lines: [ImportedLine], of team: Int64, isLast: Bool, by actor: ConnectActor
    ) async throws -> ItemImportOutcome {
        try actor.require(.manageItems)
        let makeMediaID = makeMediaID
        let bytes = try await BytePresence(
            lines.flatMap { $0.media.map(\.digest) }, in: .pictures, of: files, shop.database,
            at: shop.clock.now())
        return try await shop.write(as: actor) { work in
            try bytes.check(work)
            _ = try work.team(team)
            var writer = ItemWriter(work, team: team)
            writer.isQuiet = true
            var batch = ItemImportBatch(writer, isLast: isLast, makeMediaID: makeMediaID)
            try batch.apply(lines)
            let outcome = batch.outcome
            if outcome.created + outcome.changed + outcome.artists + outcome.media > 0 {
                try work.note(
                    "item.import",
                    on: "lines \(lines.first?.number ?? 0) to \(lines.last?.number ?? 0)", of: team,
                    after: "\(outcome.created) new, \(outcome.changed) changed")
            }
            return outcome
        }
    }
}
