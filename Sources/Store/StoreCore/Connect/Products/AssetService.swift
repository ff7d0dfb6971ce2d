import Foundation
import StoreModel

/// Takes pictures of products: reserved, sent in parts, then confirmed with their checksum.
package struct AssetService: Sendable {
    private let shop: Shop
    private let files: any PictureFiles
    private let share: MediaShare

    package init(
        database: any ShopDatabase, files: any PictureFiles, share: MediaShare,
        clock: any StoreClock
    ) {
        shop = Shop(database: database, clock: clock)
        self.files = files
        self.share = share
    }

    /// - Parameter kind: nil for any.
    package func asset(
        _ id: AssetID, kind: ProductAsset.Kind?, by actor: ConnectActor
    ) async throws -> ProductAsset {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            try Self.open(id, kind, work).asset
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
        try share.check(actor.team, at: shop.clock.now())
        let (asset, replaced) = try await shop.write(as: actor) { work in
            try AssetRules.check(fileName: fileName, size: size)
            var product = try work.product(number)
            try product.beginEdit()
            let replaced = product.record.assets.filter { $0.kind == kind }
            for known in replaced { try work.assets.delete(known.id) }
            let asset = ProductAsset(
                id: id, product: number, kind: kind, fileName: fileName, size: size,
                created: work.now)
            try work.assets.insert(asset)
            try product.note("\(kind.rawValue).create", after: fileName)
            try product.settle()
            return (asset, replaced)
        }
        await abandon(replaced, by: actor)
        return asset
    }

    /// Gives back the room of what has arrived of pictures that are gone. What stays is collected.
    private func abandon(_ assets: [ProductAsset], by actor: ConnectActor) async {
        let files = files
        for asset in assets {
            if asset.state == .awaitingUpload {
                try? await files.apart { try files.abandon(asset.id) }
            } else {
                share.add(asset.size, of: actor.team, at: shop.clock.now())
            }
        }
    }

    /// Takes a part of a picture's bytes.
    package func write(
        _ bytes: Data, at offset: Int64, of id: AssetID, by actor: ConnectActor
    ) async throws {
        let asset = try await shop.read(as: actor, requiring: .manageProducts) { work in
            try Self.open(id, nil, work).asset
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
        let bytes = try await BytePresence(
            [arrived.digest], in: .pictures, of: files, shop.database, at: shop.clock.now())
        return try await shop.write(as: actor) { work in
            var (asset, product) = try Self.open(id, kind, work)
            guard asset.state == .awaitingUpload else { throw Self.decided(asset) }
            try bytes.check(work)
            asset.digest = arrived.digest
            asset.checksum = arrived.checksum
            asset.header = arrived.header
            asset.problem = Self.problem(with: arrived, as: asset, checksum: checksum)
            asset.state = asset.problem == nil ? .complete : .failed
            try work.assets.update(asset)
            try product.note(
                "\(asset.kind.rawValue).commit", after: asset.problem ?? asset.fileName)
            try product.settle()
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
        let asset = try await shop.write(as: actor, requiring: .manageProducts) { work in
            var (asset, product) = try Self.open(id, kind, work)
            try product.beginEdit()
            try work.assets.delete(id)
            try product.note("\(asset.kind.rawValue).delete", before: asset.fileName)
            try product.settle()
            return asset
        }
        await abandon([asset], by: actor)
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
            help: "Reserve another asset for a new picture.")
    }

    private static func open(
        _ id: AssetID, _ kind: ProductAsset.Kind?, _ work: UnitOfWork
    ) throws -> (asset: ProductAsset, product: EditedProduct) {
        guard let asset = try work.assets.find(id), kind == nil || asset.kind == kind,
            let product = try work.productIfSeen(asset.product)
        else { throw ConnectRefusal.notFound(AssetID.name, id.text) }
        return (asset, product)
    }

    // MARK: Collecting

    /// Takes away the bytes of pictures that nobody has.
    ///
    /// - Parameter grace: younger ones stay: their picture may not have heard of them yet.
    /// - Parameter now: what the clock shows, where somebody has looked whether it can be believed.
    /// - Returns: how many there were.
    package func collect(grace: TimeInterval, at now: Date? = nil) async throws -> Int {
        let limit = (now ?? shop.clock.now()).addingTimeInterval(-grace)
        let files = files
        let listed = try await files.apart {
            try files.abandon(before: limit)
            return try files.list()
        }
        let removal = ByteRemoval(
            place: .pictures, files: files, shop: shop,
            isNeeded: { try $1.assets.isNeeded($0) }, forget: { _, _ in })
        var count = 0
        var failures = ConsecutiveFailures()
        for file in listed where file.date <= limit && !failures.isEnough {
            try Task.checkCancellation()
            // Most are needed; only the rest is worth a transaction.
            guard try await !shop.read({ try $0.assets.isNeeded(file.digest) }) else { continue }
            do {
                count += try await removal.remove([file]).count
                failures.end()
            } catch let error as ByteRemoval.Incomplete {
                failures.add(error.reason)
            }
        }
        if let error = failures.first { throw error }
        return count
    }
}
