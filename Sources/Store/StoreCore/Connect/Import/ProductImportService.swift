import StoreModel

/// Imports many products from a file, whole or not at all.
///
/// Each product goes through the rules that hold when it is edited by hand: an import doesn't
/// undo a review, texts of a product on sale become a revision of it, and what reviewers have
/// can't be changed. Products that the file doesn't list stay as they are.
package struct ProductImportService: Sendable {
    private let shop: Shop
    private let turn = ImportTurn()

    /// As many products as a rehearsal takes at a time: others may write in between.
    private let rehearsalPart: Int

    package init(database: any ShopDatabase, clock: any StoreClock, rehearsalPart: Int = 500) {
        shop = Shop(database: database, clock: clock)
        self.rehearsalPart = rehearsalPart
    }

    /// Imports a file in one transaction.
    ///
    /// The file is read through before it begins, and again meanwhile, product by product: it may
    /// be large. One import runs at a time, because all of them, and everything else that is
    /// written, share one writer.
    ///
    /// - Parameters:
    ///   - origin: the app that the file says it is for.
    ///   - isRehearsal: does everything, and then takes it back: what is told is what would
    ///     happen.
    ///   - record: hears of each product that is added or changed.
    /// - Throws: `ConnectRefusal` for who asks and for the app, with the rule `importRunning`
    ///   while another one runs, and `tooManyProducts` where the file lists more than an app can
    ///   have; `ImportRefusal` for what the file lists.
    package func run(
        _ listing: any ProductListing, into app: AppID, origin: ImportOrigin, isRehearsal: Bool,
        record: any ImportRecord, by actor: ConnectActor
    ) async throws -> ImportCounts {
        try actor.require(.manageProducts)
        guard await turn.begin() else {
            throw ConnectRefusal(
                .tooMany, rule: "importRunning", "Another import is running.",
                help: "Try again when it has ended, in some seconds.")
        }
        do {
            let file = ImportFile(listing: listing, app: app, origin: origin)
            let survey = try ImportSurvey(of: listing)
            let counts =
                isRehearsal
                ? try await rehearse(file, survey, record: record, by: actor)
                : try await shop.write(as: actor) { work in
                    try record.begin()
                    let part = try file.run(0..<survey.count, after: 0, work) {
                        try record.add($0)
                    }
                    guard part.problems.isEmpty else { throw ImportRefusal(part.problems) }
                    try file.note(part.counts, work)
                    return part.counts
                }
            await turn.end()
            return counts
        } catch {
            await turn.end()
            throw error
        }
    }

    /// Does the work in parts that are each taken back. A product that is listed twice sees what
    /// came before it, so then there is one part.
    private func rehearse(
        _ file: ImportFile, _ survey: ImportSurvey, record: any ImportRecord,
        by actor: ConnectActor
    ) async throws -> ImportCounts {
        let size = survey.isDistinct ? rehearsalPart : max(survey.count, 1)
        var counts = ImportCounts()
        var problems: [ImportRefusal.Problem] = []
        try record.begin()
        // Also without products: the app is looked at.
        for start in stride(from: 0, to: max(survey.count, 1), by: size) {
            let range = start..<min(start + size, survey.count)
            let added = counts.added
            let part: ImportFile.Part
            do {
                part = try await shop.write(as: actor) { work in
                    throw Rehearsal(
                        part: try file.run(range, after: added, work) {
                            try record.add($0)
                        })
                }
            } catch let rehearsal as Rehearsal {
                part = rehearsal.part
            }
            counts.add(part.counts)
            problems += part.problems.prefix(ImportRefusal.limit - problems.count)
            if problems.count == ImportRefusal.limit { break }
        }
        guard problems.isEmpty else { throw ImportRefusal(problems) }
        return counts
    }

    /// Takes a transaction back that was only to show what it would do.
    private struct Rehearsal: Error {
        let part: ImportFile.Part
    }
}

/// Lets one import run at a time.
private actor ImportTurn {
    private var isTaken = false

    /// - Returns: false where another one runs.
    func begin() -> Bool {
        defer { isTaken = true }
        return !isTaken
    }

    func end() { isTaken = false }
}

/// How many products a file lists.
private struct ImportSurvey: Sendable {
    private(set) var count = 0
    /// Whether each is listed once.
    private(set) var isDistinct = true

    /// - Throws: `ConnectRefusal` with the rule `tooManyProducts`.
    init(of listing: any ProductListing) throws {
        var known: Set<ProductID> = []
        try listing.forEach { product in
            count += 1
            if !known.insert(product.productID).inserted { isDistinct = false }
            guard count <= ProductService.limit else {
                throw ConnectRefusal(
                    .tooMany, rule: "tooManyProducts", field: "productId",
                    "The file lists more than \(ProductService.limit) products.",
                    help: "An app can't have more; import those of one app.")
            }
        }
    }
}

/// What is imported, and for which app.
private struct ImportFile: Sendable {
    let listing: any ProductListing
    let app: AppID
    let origin: ImportOrigin

    /// What became of some of the products.
    struct Part: Sendable {
        var counts = ImportCounts()
        var problems: [ImportRefusal.Problem] = []
    }

    /// The rest of the file is not wanted.
    private struct Enough: Error {}

    /// Brings some products to what is listed, inside a transaction.
    ///
    /// - Parameters:
    ///   - range: which products of the file.
    ///   - added: how many products were added by parts that were taken back.
    ///   - tell: hears what becomes of each.
    func run(
        _ range: Range<Int>, after added: Int, _ work: UnitOfWork,
        _ tell: (ImportOutcome) throws -> Void
    ) throws -> Part {
        let app = try work.app(app)
        try origin.check(app, work)
        var part = Part()
        var index = 0
        do {
            try listing.forEach { product in
                guard index < range.upperBound else { throw Enough() }
                defer { index += 1 }
                guard range.contains(index) else { return }
                var listed = ListedProductWriter(product, in: app, work)
                do {
                    switch try listed.run(after: added) {
                    case nil: part.counts.unchanged += 1
                    case let outcome?:
                        part.counts.count(outcome.kind)
                        if part.problems.isEmpty { try tell(outcome) }
                    }
                } catch let refusal as ConnectRefusal {
                    part.problems.append(listed.problem(refusal))
                    guard part.problems.count < ImportRefusal.limit else { throw Enough() }
                }
            }
        } catch is Enough {}
        return part
    }

    /// Writes into the audit log what the import has changed.
    func note(_ counts: ImportCounts, _ work: UnitOfWork) throws {
        guard counts.added + counts.changed > 0,
            let app = try work.catalog.app(app)
        else { return }
        try work.note(
            "product.import", on: app.bundleID.text, of: app.teamID,
            after: "\(counts.added) added, \(counts.changed) changed")
    }
}

extension ImportCounts {
    fileprivate mutating func add(_ other: ImportCounts) {
        added += other.added
        changed += other.changed
        unchanged += other.unchanged
    }

    fileprivate mutating func count(_ kind: ImportOutcome.Kind) {
        switch kind {
        case .added: added += 1
        case .changed: changed += 1
        }
    }
}
