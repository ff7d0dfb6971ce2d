import Foundation
import StoreAPI
import StoreCore

/// How far an import of items is, or what it did.
package struct ItemImportProgress: Sendable {
    /// Bytes of the file that were read, and that it has.
    package var bytes: Int64 = 0
    package var size: Int64 = 0
    package var lines = 0
    package var outcome = ItemImportOutcome()
    /// What is wrong, in the order of batches. Nothing of a batch with a wrong line was written.
    package var problems: [ImportProblem] = []
    /// Whether the import ended early because so much is wrong.
    package var isGivenUp: Bool { problems.count >= ItemImport.mostProblems }

    fileprivate mutating func add(_ other: ItemImportOutcome, _ more: [ImportProblem]) {
        outcome.add(other)
        problems += more
    }
}

/// Brings items of a file into the store, line by line: memory holds one batch, and the places
/// of lines that wait for their album.
package struct ItemImport: Sendable {
    /// Lines of one transaction.
    package static let batchSize = 500
    /// Bytes of a line.
    package static let longestLine = 1 << 20
    /// More problems than this help nobody.
    package static let mostProblems = 100

    private let services: APIServices
    private let file: URL
    private let team: Int64
    private let actor: ConnectActor

    package init(_ file: URL, services: APIServices, team: Int64, by actor: ConnectActor) {
        self.file = file
        self.services = services
        self.team = team
        self.actor = actor
    }

    /// Lines that were read: those that can be tried, and what is wrong with others.
    private struct Batch: Sendable {
        var places: [LineLocation] = []
        var lines: [ImportedLine] = []
        var problems: [ImportProblem] = []
    }

    /// What became of a batch.
    private struct Result: Sendable {
        var outcome = ItemImportOutcome()
        var problems: [ImportProblem] = []
        /// Lines that wait for what follows.
        var waiting: [LineLocation] = []
    }

    /// - Parameter show: hears of each batch that was written or refused.
    package func run(show: (ItemImportProgress) -> Void) async throws -> ItemImportProgress {
        var progress = ItemImportProgress()
        var waiting: [LineLocation] = []
        let reader = try LineReader(file, longest: Self.longestLine)
        progress.size = reader.size
        var batch = try await read(next(reader))
        while !batch.places.isEmpty, !progress.isGivenUp {
            // The next lines are read while these are written.
            let (current, bytes) = (batch, reader.position)
            async let written = write(current, isLast: false)
            batch = try await read(next(reader))
            let result = try await written
            waiting += result.waiting
            progress.lines += current.places.count
            progress.bytes = bytes
            progress.add(result.outcome, result.problems)
            show(progress)
        }
        var rest = waiting[...]
        while !rest.isEmpty, !progress.isGivenUp {
            let places = rest.prefix(Self.batchSize)
            rest = rest.dropFirst(places.count)
            let lines = try places.map { (place: $0, data: try reader.line(at: $0) as Data?) }
            let result = try await write(read(lines), isLast: true)
            progress.add(result.outcome, result.problems)
            show(progress)
        }
        return progress
    }

    private func next(_ reader: LineReader) throws -> [(place: LineLocation, data: Data?)] {
        var lines: [(place: LineLocation, data: Data?)] = []
        while lines.count < Self.batchSize, let line = try reader.next() { lines.append(line) }
        return lines
    }

    private func read(_ lines: [(place: LineLocation, data: Data?)]) async throws -> Batch {
        var batch = Batch()
        for (place, data) in lines {
            batch.places.append(place)
            do {
                guard let data else {
                    throw ConnectRefusal(
                        .invalid, rule: "lineLength", field: "",
                        "The line has more than \(Self.longestLine) bytes.",
                        help: "Shorten its texts.")
                }
                let item = try ListedItem(line: data)
                batch.lines.append(
                    ImportedLine(
                        number: place.number, item: item, media: try await media(of: item)))
            } catch let refusal as ConnectRefusal {
                batch.problems.append(ImportProblem(line: place.number, refusal: refusal))
            }
        }
        return batch
    }

    private func write(_ batch: Batch, isLast: Bool) async throws -> Result {
        var result = Result()
        do {
            guard batch.problems.isEmpty else {
                // Lines that can be read are tried all the same: all problems are told at once.
                try await check(batch.lines, isLast: isLast)
                throw ImportBatchRefusal(problems: [])
            }
            result.outcome = try await services.itemImports.apply(
                batch.lines, of: team, isLast: isLast, by: actor)
            let deferred = Set(result.outcome.deferred)
            result.waiting = batch.places.filter { deferred.contains($0.number) }
        } catch let refusal as ImportBatchRefusal {
            result.problems = (batch.problems + refusal.problems).sorted { $0.line < $1.line }
        }
        return result
    }

    /// Tells what is wrong with lines without writing them.
    private func check(_ lines: [ImportedLine], isLast: Bool) async throws {
        let broken = ImportedLine(number: 0, item: try ListedItem(line: Data("{}".utf8)))
        do {
            _ = try await services.itemImports.apply(
                lines + [broken], of: team, isLast: isLast, by: actor)
        } catch let refusal as ImportBatchRefusal {
            throw ImportBatchRefusal(problems: refusal.problems.filter { $0.line > 0 })
        }
    }

    // MARK: Files

    private func media(of item: ListedItem) async throws -> [TakenMedia] {
        var wanted: [(name: String, kind: ItemMedia.Kind, field: String)] = []
        if let name = item.artwork { wanted.append((name, .artwork, "artwork")) }
        wanted += (item.screenshots ?? []).map { ($0, .screenshot, "screenshots") }
        wanted += (item.tabletScreenshots ?? []).map {
            ($0, .tabletScreenshot, "tabletScreenshots")
        }
        wanted += (item.previews ?? []).map { ($0, Self.previewKind($0), "previews") }
        if let name = item.download { wanted.append((name, .download, "download")) }
        var media: [TakenMedia] = []
        for (name, kind, field) in wanted {
            let url = try place(of: name, field)
            do {
                media.append(
                    try await services.itemMedia.take(
                        url, kind: kind, fileName: url.lastPathComponent))
            } catch let refusal as ConnectRefusal {
                throw refusal.named(field)
            }
        }
        return media
    }

    private static func previewKind(_ name: String) -> ItemMedia.Kind {
        let endings: Set<String> = ["mp4", "m4v", "mov", "webm", "ogv"]
        let ending = name.split(scalar: ".").last.map { $0.lowercased() } ?? ""
        return endings.contains(ending) ? .videoPreview : .audioPreview
    }

    /// A file beside the import's, or below its folder: never outside of it.
    private func place(of name: String, _ field: String) throws -> URL {
        let parts = name.split(scalar: "/", omittingEmptySubsequences: false)
        let folder = file.deletingLastPathComponent().resolvingSymlinksInPath()
        let url = folder.appendingPathComponent(name)
        let isInside =
            !name.isEmpty && !name.contains(scalar: "\0")
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
            && url.resolvingSymlinksInPath().path.hasPrefix(scalars: folder.path + "/")
        guard isInside else {
            throw ConnectRefusal(
                .invalid, rule: "path", field: field,
                "\(quoted(name)) is not a file below the folder of the import.",
                help: "Give its path from that folder, without \"..\".")
        }
        return url
    }
}

extension Store {
    /// Brings items of a file into the store.
    ///
    /// - Parameter teamName: nil for the only team of the store.
    package func importItems(
        _ file: URL, teamName: String? = nil, by actor: ConnectActor = .machine,
        show: (ItemImportProgress) -> Void = { _ in }
    ) async throws -> ItemImportProgress {
        let team = try await services.itemImports.team(named: teamName, by: actor)
        return try await ItemImport(file, services: services, team: team, by: actor)
            .run(show: show)
    }
}
