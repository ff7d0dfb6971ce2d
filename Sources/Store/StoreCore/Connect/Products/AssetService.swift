import Foundation
import StoreModel

/// Takes pictures of products: reserved, sent in parts, then confirmed with their checksum.
package struct AssetService: Sendable {
    private let database: any ShopDatabase
    private let files: any PictureFiles
    private let share: MediaShare
    private let clock: any StoreClock

    package init(
        database: any ShopDatabase, files: any PictureFiles, share: MediaShare,
        clock: any StoreClock
    ) {
        self.database = database
        self.files = files
        self.share = share
        self.clock = clock
    }

    /// - Parameter kind: nil for any.
    package func asset(
        _ id: AssetID, kind: ProductAsset.Kind?, by actor: ConnectActor
    ) async throws -> ProductAsset {
        try actor.require(.viewApps)
        let now = clock.now()
        return try await database.read { repositories in
            try Self.open(id, kind, by: actor, repositories, at: now).asset
        }
    }

    /// Reserves the place of a picture; one that was there goes.
    ///
    /// - Parameter id: its new identifier.
    package func reserve(
        _ id: AssetID, kind: ProductAsset.Kind, fileName: String, size: Int64,
        of number: ProductNumber, by actor: ConnectActor
    ) async throws -> ProductAsset {
        try actor.require(.manageProducts)
        let now = clock.now()
        try share.check(actor.team, at: now)
        let (asset, replaced) = try await database.write { repositories in
            try AssetRules.check(fileName: fileName, size: size)
            var work = try ProductWork(number, by: actor, repositories, at: now)
            try work.beginEdit()
            let replaced = work.record.assets.filter { $0.kind == kind }
            for known in replaced { try repositories.assets.delete(known.id) }
            let asset = ProductAsset(
                id: id, product: number, kind: kind, fileName: fileName, size: size, created: now)
            try repositories.assets.insert(asset)
            try work.note("\(kind.rawValue).create", after: fileName)
            try work.settle()
            return (asset, replaced)
        }
        await abandon(replaced, by: actor, at: now)
        return asset
    }

    /// Gives back the room of what has arrived of pictures that are gone. What stays is collected.
    private func abandon(_ assets: [ProductAsset], by actor: ConnectActor, at now: Date) async {
        let files = files
        for asset in assets {
            if asset.state == .awaitingUpload {
                try? await files.apart { try files.abandon(asset.id) }
            } else {
                share.add(asset.size, of: actor.team, at: now)
            }
        }
    }

    /// Takes a part of a picture's bytes.
    package func write(
        _ bytes: Data, at offset: Int64, of id: AssetID, by actor: ConnectActor
    ) async throws {
        try actor.require(.manageProducts)
        let now = clock.now()
        let asset = try await database.read { repositories in
            try Self.open(id, nil, by: actor, repositories, at: now).asset
        }
        guard asset.state == .awaitingUpload else { throw Self.decided(asset) }
        guard offset >= 0, offset <= asset.size, Int64(bytes.count) <= asset.size - offset else {
            throw ConnectRefusal(
                .invalid, rule: "assetRange", field: "offset",
                "\(asset.fileName) was announced with \(asset.size) bytes; these lie behind them.",
                help: "Send the parts that uploadOperations names.")
        }
        let files = files
        try await files.apart { try files.write(bytes, at: offset, of: id) }
    }

    /// Confirms a picture: it is taken where its bytes are what they should be, else it has
    /// failed, and says why.
    ///
    /// - Parameter checksum: the MD5 that the sender has, hexadecimal; nil where it has none.
    package func commit(
        _ id: AssetID, kind: ProductAsset.Kind, checksum: String?, by actor: ConnectActor
    ) async throws -> ProductAsset {
        try actor.require(.manageProducts)
        let asset = try await self.asset(id, kind: kind, by: actor)
        guard asset.state == .awaitingUpload else { throw Self.decided(asset) }
        let files = files
        guard let arrived = try await files.apart({ try files.finish(id) }) else {
            throw Self.missing(asset)
        }
        let now = clock.now()
        let bytes = try await SeenBytes([arrived.digest], in: .pictures, of: files, database)
        return try await database.write { repositories in
            var (asset, work) = try Self.open(id, kind, by: actor, repositories, at: now)
            guard asset.state == .awaitingUpload else { throw Self.decided(asset) }
            try bytes.check(repositories, at: now)
            asset.digest = arrived.digest
            asset.checksum = arrived.checksum
            asset.header = arrived.header
            asset.problem = Self.problem(with: arrived, as: asset, checksum: checksum)
            asset.state = asset.problem == nil ? .complete : .failed
            try repositories.assets.update(asset)
            try work.note(
                "\(asset.kind.rawValue).commit", after: asset.problem ?? asset.fileName)
            try work.settle()
            return asset
        }
    }

    private static func problem(
        with arrived: ArrivedPicture, as asset: ProductAsset, checksum: String?
    ) -> String? {
        if arrived.size != asset.size {
            return "\(asset.size) bytes were announced, and \(arrived.size) arrived."
        }
        if let checksum, checksum.lowercased() != arrived.checksum {
            return "Its bytes have another checksum: they changed on their way."
        }
        return AssetRules.problem(with: arrived.header, as: asset.kind)
    }

    package func delete(
        _ id: AssetID, kind: ProductAsset.Kind, by actor: ConnectActor
    ) async throws {
        try actor.require(.manageProducts)
        let now = clock.now()
        let asset = try await database.write { repositories in
            var (asset, work) = try Self.open(id, kind, by: actor, repositories, at: now)
            try work.beginEdit()
            try repositories.assets.delete(id)
            try work.note("\(asset.kind.rawValue).delete", before: asset.fileName)
            try work.settle()
            return asset
        }
        await abandon([asset], by: actor, at: now)
    }

    /// Opens the bytes of a picture that was taken; the caller closes the descriptor.
    package func bytes(of asset: ProductAsset) async throws -> OpenContent? {
        guard asset.state == .complete, let digest = asset.digest else { return nil }
        let files = files
        return try await files.apart { try files.open(digest) }
    }

    private static func missing(_ asset: ProductAsset) -> ConnectRefusal {
        ConnectRefusal(
            .state, rule: "assetMissing", field: "uploaded",
            "The bytes of \(asset.fileName) have not arrived.",
            help: "Send them first, as uploadOperations says.")
    }

    private static func decided(_ asset: ProductAsset) -> ConnectRefusal {
        ConnectRefusal(
            .state, rule: "assetDecided", field: "uploaded",
            "\(asset.fileName) is \(asset.state.rawValue) already.",
            help: "Reserve a place for another picture.")
    }

    private static func open(
        _ id: AssetID, _ kind: ProductAsset.Kind?, by actor: ConnectActor,
        _ repositories: StoreRepositories, at date: Date
    ) throws -> (asset: ProductAsset, work: ProductWork) {
        guard let asset = try repositories.assets.asset(id), kind == nil || asset.kind == kind,
            let work = try? ProductWork(asset.product, by: actor, repositories, at: date)
        else { throw ConnectRefusal.notFound(AssetID.name, id.text) }
        return (asset, work)
    }

    // MARK: Collecting

    /// Takes away the bytes of pictures that nobody has.
    ///
    /// - Parameter grace: younger ones stay: their picture may not have heard of them yet.
    /// - Parameter now: what the clock shows, where somebody has looked whether it can be believed.
    /// - Returns: how many there were.
    package func collect(grace: TimeInterval, at now: Date? = nil) async throws -> Int {
        let limit = (now ?? clock.now()).addingTimeInterval(-grace)
        let files = files
        let listed = try await files.apart {
            try files.abandon(before: limit)
            return try files.list()
        }
        let removal = ByteRemoval(
            place: .pictures, files: files, database: database, clock: clock,
            isNeeded: { try $1.assets.isNeeded($0) }, forget: { _, _ in })
        var count = 0
        for file in listed where file.date <= limit {
            // Most are needed; only the rest is worth a transaction.
            let isNeeded = try await database.read { try $0.assets.isNeeded(file.digest) }
            if !isNeeded { count += try await removal.remove([file]).count }
        }
        return count
    }
}
