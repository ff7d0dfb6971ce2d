import Foundation
import StoreModel

/// Pictures, sounds and films of items: taken from their publishers, and opened for those who
/// may have them.
package struct ItemMediaService: Sendable {
    let shop: Shop
    private let files: any MediaFiles
    private let pictures: any PictureMaker
    private let share: MediaShare
    private let makeID: @Sendable () -> AssetID

    /// - Parameter makeID: makes identifiers that nobody guesses.
    package init(
        database: any ShopDatabase, files: any MediaFiles, pictures: any PictureMaker,
        share: MediaShare, clock: any StoreClock, makeID: @escaping @Sendable () -> AssetID
    ) {
        self.share = share
        shop = Shop(database: database, clock: clock)
        self.files = files
        self.pictures = pictures
        self.makeID = makeID
    }

    // MARK: For publishers

    /// All of an item, by kind and position.
    package func media(of item: ItemID, by actor: ConnectActor) async throws -> [ItemMedia] {
        try await shop.read(as: actor, requiring: .viewApps) { try Self.media(of: item, $0) }
    }

    package func media(_ id: AssetID, by actor: ConnectActor) async throws -> ItemMedia {
        try await shop.read(as: actor, requiring: .viewApps) { try Self.open(id, $0).media }
    }

    /// Adds a file to an item, or replaces the one at its position.
    ///
    /// The same bytes under the same name at the same position change nothing. A replaced one
    /// gets a new identifier: whoever fetched the old one keeps it.
    ///
    /// - Parameters:
    ///   - file: is copied.
    ///   - position: from 1 on; nil for behind those that there are. Artwork and download have
    ///     one place, which is filled anew.
    /// - Throws: `ConnectRefusal`.
    package func add(
        _ file: URL, kind: ItemMedia.Kind, position: Int? = nil, fileName: String,
        to item: ItemID, by actor: ConnectActor
    ) async throws -> ItemMedia {
        try actor.require(.manageItems)
        try share.check(actor.team, at: shop.clock.now())
        let known = try await shop.read(as: actor) { try Self.media(of: item, $0) }
        let (file, format) = try await store(file, kind: kind, fileName: fileName)
        let isNew = !known.contains { $0.digest == file.digest }
        do {
            let taken = try await check(file, format, kind: kind, fileName: fileName)
            let (media, left) = try await place(taken, position: position, of: item, by: actor)
            let before = known.reduce(isNew ? taken.size : 0) { $0.clampedSum($1.size) }
            share.add(before - left, of: actor.team, at: shop.clock.now())
            return media
        } catch {
            if isNew { share.add(file.size, of: actor.team, at: shop.clock.now()) }
            throw error
        }
    }

    /// - Returns: the one that was placed, and how many bytes the item's have now.
    private func place(
        _ taken: TakenMedia, position: Int?, of item: ItemID, by actor: ConnectActor
    ) async throws -> (media: ItemMedia, left: Int64) {
        let id = makeID()
        let bytes = try await BytePresence(
            [taken.digest], in: .pictures, of: files, shop.database, at: shop.clock.now())
        return try await shop.write(as: actor) { work in
            try bytes.check(work)
            let media = try Self.place(taken, id: id, position: position, of: item, work)
            let all = try Self.media(of: item, work)
            return (media, all.reduce(0) { $0.clampedSum($1.size) })
        }
    }

    private static func media(of item: ItemID, _ work: UnitOfWork) throws -> [ItemMedia] {
        _ = try work.item(item)
        return try work.itemMedia.media(of: [item])[item] ?? []
    }

    /// Takes the bytes of a file, checked, without adding them to an item.
    ///
    /// - Throws: `ConnectRefusal`.
    package func take(
        _ file: URL, kind: ItemMedia.Kind, fileName: String
    ) async throws -> TakenMedia {
        let (file, format) = try await store(file, kind: kind, fileName: fileName)
        return try await check(file, format, kind: kind, fileName: fileName)
    }

    /// Takes the bytes of a file whose beginning is of an allowed format.
    ///
    /// - Throws: `ConnectRefusal`.
    private func store(
        _ file: URL, kind: ItemMedia.Kind, fileName: String
    ) async throws -> (file: TakenFile, format: MediaFormat) {
        try FileNameRules.check(fileName)
        do {
            return try await files.take(file, limit: ItemMediaRules.sizeLimit(of: kind)) {
                try ItemMediaRules.format(beginning: $0, fileName: fileName, as: kind)
            }
        } catch let problem as MediaFileProblem {
            throw Self.refusal(problem, fileName)
        }
    }

    /// - Throws: `ConnectRefusal` for a picture that is none, or of a size that is not taken.
    private func check(
        _ file: TakenFile, _ format: MediaFormat, kind: ItemMedia.Kind, fileName: String
    ) async throws -> TakenMedia {
        var header: ImageHeader?
        if format == .png || format == .jpeg {
            header = try await picture(file.digest, fileName)
            if let header { try ItemMediaRules.check(header, as: kind) }
        }
        return TakenMedia(
            kind: kind, digest: file.digest, size: file.size, mediaType: format.mediaType,
            fileName: fileName, header: header)
    }

    /// Takes one away, and closes the gap behind it.
    package func remove(_ id: AssetID, by actor: ConnectActor) async throws {
        let removed = try await shop.write(as: actor, requiring: .manageItems) { work in
            let (media, item) = try Self.open(id, work)
            try work.itemMedia.delete(id)
            let others = try work.itemMedia.media(of: [item.id])[item.id] ?? []
            for var other in others
            where other.kind == media.kind && other.position > media.position {
                other.position -= 1
                try work.itemMedia.save(other)
            }
            try work.note(
                "itemMedia.delete", on: "item \(item.id)", of: item.team, before: Self.words(media))
            return media
        }
        share.add(removed.size, of: actor.team, at: shop.clock.now())
    }

    /// Puts what was taken in its place.
    ///
    /// - Parameter id: the new identifier.
    /// - Throws: `ConnectRefusal` with the rules `position`, `tooManyMedia`.
    package static func place(
        _ taken: TakenMedia, id: AssetID, position: Int?, of item: ItemID, _ work: UnitOfWork
    ) throws -> ItemMedia {
        let item = try work.item(item)
        let others = (try work.itemMedia.media(of: [item.id])[item.id] ?? [])
            .filter { $0.kind == taken.kind }
        let limit = ItemMediaRules.count(of: taken.kind)
        let position = limit == 1 ? 1 : position ?? others.count + 1
        guard position <= limit else {
            throw ConnectRefusal(
                .tooMany, rule: "tooManyMedia", field: "position",
                "An item has at most \(limit) of the kind \(taken.kind.rawValue).",
                help: "Replace one of them.")
        }
        guard (1...others.count + 1).contains(position) else {
            throw ConnectRefusal(
                .invalid, rule: "position", field: "position",
                "There are \(others.count) of the kind \(taken.kind.rawValue); the next one's "
                    + "position is \(others.count + 1).",
                help: "Leave no gap.")
        }
        let media = taken.media(id, position: position, of: item.id)
        let replaced = others.first { $0.position == position }
        if let replaced {
            guard replaced.digest != media.digest || replaced.fileName != media.fileName else {
                return replaced
            }
            try work.itemMedia.delete(replaced.id)
        }
        try work.itemMedia.save(media)
        try work.note(
            "itemMedia.create", on: "item \(item.id)", of: item.team, before: replaced.map(words),
            after: words(media))
        return media
    }

    // MARK: For everybody

    /// Opens the bytes, or some of them, for whoever may have them; the caller closes the
    /// descriptor.
    ///
    /// - Parameter wanted: hears how many bytes there are, and says which are to be read.
    package func open(
        _ media: ItemMedia,
        wanted: @escaping @Sendable (UInt64) -> Range<UInt64> = { 0..<$0 }
    ) async throws -> OpenContent? {
        let files = files
        return try await files.apart { try files.open(media.digest, wanted: wanted) }
    }

    /// Where a buyer's browser fetches the bytes for a while; nil where only the store has them.
    package func address(of media: ItemMedia, for method: String, disposition: String) -> String? {
        files.address(
            of: media.digest, for: method,
            as: ContentPresentation(mediaType: media.mediaType, disposition: disposition))
    }

    /// One that customers see, because its item is on sale; nil where there is none. What buyers
    /// download is none.
    package func shown(_ id: AssetID) async throws -> ItemMedia? {
        try await shop.read { work in
            guard let media = try work.itemMedia.media(id), media.kind != .download,
                try work.items.item(media.item)?.state == .onSale
            else { return nil }
            return media
        }
    }

    /// What a buyer of an item downloads, whatever has become of the item; nil where it has
    /// nothing. Whether somebody has bought it is the caller's to ask.
    package func download(of item: ItemID) async throws -> ItemMedia? {
        try await shop.read { work in
            try work.itemMedia.media(of: [item])[item]?.first { $0.kind == .download }
        }
    }

    /// Those of some items that have something which a buyer downloads.
    package func downloadable(_ items: [ItemID]) async throws -> Set<ItemID> {
        guard !items.isEmpty else { return [] }
        return try await shop.read { work in
            Set(
                try work.itemMedia.media(of: items)
                    .filter { $0.value.contains { $0.kind == .download } }.keys)
        }
    }

    /// A picture in another size; nil where its bytes are gone.
    ///
    /// - Throws: `PictureProblem`, or `PicturesBusy`.
    package func rendition(_ size: PictureSize, of media: ItemMedia) async throws -> MadePicture? {
        let files = files
        return try await pictures.rendition(size, of: media.digest) {
            try files.open(media.digest)
        }
    }

    // MARK: Steps

    private func picture(_ digest: ContentDigest, _ fileName: String) async throws -> ImageHeader {
        let files = files
        guard let content = try await files.apart({ try files.open(digest) }) else {
            throw ContentFilesMissing(digests: [digest])
        }
        do {
            return try await pictures.check(content)
        } catch let problem as PictureProblem {
            throw ConnectRefusal(
                .invalid, rule: "picture", field: "fileName", "\(fileName): \(problem)",
                help: "Save it again as PNG or JPEG.")
        } catch is PicturesBusy {
            throw ConnectRefusal(
                .tooMany, rule: "picturesBusy", field: "fileName",
                "The store reads too many pictures at the moment.", help: "Try again.")
        }
    }

    private static func refusal(_ problem: MediaFileProblem, _ name: String) -> ConnectRefusal {
        switch problem {
        case .unreadable(let reason):
            ConnectRefusal(
                .invalid, rule: "fileUnreadable", field: "fileName",
                "\(name) can't be read: \(reason).", help: "Check that it is there.")
        case .empty:
            ConnectRefusal(
                .invalid, rule: "fileSize", field: "fileName", "\(name) is empty.",
                help: "Choose another file.")
        case .tooLarge(let limit):
            ConnectRefusal(
                .invalid, rule: "fileSize", field: "fileName",
                "\(name) has more than the \(limit) bytes that the store takes.",
                help: "Make it smaller.")
        }
    }

    static func open(_ id: AssetID, _ work: UnitOfWork) throws -> (media: ItemMedia, item: Item) {
        guard let media = try work.itemMedia.media(id),
            let item = try work.items.item(media.item), work.actor.sees(team: item.team)
        else { throw ConnectRefusal.notFound("media file", id.text) }
        return (media, item)
    }

    private static func words(_ media: ItemMedia) -> String {
        "\(media.kind.rawValue) \(media.position): \(media.fileName)"
    }
}
