import Foundation
import StoreCore
import StoreModel
import StoreTestSupport

/// A seeded shop, and those who maintain its products.
struct ProductShop: Sendable {
    let database: OpenedDatabase
    let shop: SeededShop
    let clock = SettableClock(SeededShop.date)
    let files = KeptFiles()
    let share: MediaShare

    /// - Parameter free: bytes of the disk.
    init(_ driver: StoreDriver, free: Int64 = .max) async throws {
        share = MediaShare { free }
        database = try driver.install().open()
        shop = try await SeededShop(in: database)
    }

    var products: ProductService { ProductService(database: database, clock: clock) }
    var assets: AssetService {
        AssetService(database: database, files: files, share: share, clock: clock)
    }
    var promotions: PromotionService { PromotionService(database: database, clock: clock) }

    /// Somebody of the shop's team.
    func actor(_ role: ConnectRole = .appManager, team: Int64? = nil) -> ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: 1), email: "pat@example.com"),
            team: team ?? shop.app.teamID, roles: [role])
    }

    /// Somebody of another team.
    var stranger: ConnectActor { actor(team: shop.app.teamID + 1) }

    func create(
        _ id: String = "com.example.shop.coins", _ type: ProductType = .consumable
    ) async throws -> ProductRecord {
        try await products.create(
            NewProduct(productID: id, type: type, referenceName: "Coins"), in: shop.app.id,
            by: actor())
    }

    /// A product that lacks nothing.
    func complete(_ id: String = "com.example.shop.coins") async throws -> ProductRecord {
        let number = try await create(id).number
        _ = try await products.addText(
            ProductText(title: "Coins", description: "A hundred."), locale: "en-US", to: number,
            by: actor())
        _ = try await products.setPrices(PriceSchedule(tier: "1"), of: number, by: actor())
        _ = try await screenshot(of: number)
        return try await products.product(number, by: actor())
    }

    /// A screenshot that was taken.
    func screenshot(of number: ProductNumber) async throws -> ProductAsset {
        let asset = try await assets.reserve(
            AssetID(UUID()), kind: .reviewScreenshot, fileName: "a.png", size: 3, of: number,
            by: actor())
        try await receive(asset, ImageHeader(format: .png, width: 640, height: 920))
        return try await assets.commit(
            asset.id, kind: .reviewScreenshot, checksum: Self.checksum, by: actor())
    }

    static let checksum = String(repeating: "c", count: 32)
    static let digest = ContentDigest(String(repeating: "d", count: 64))!

    /// Lets the bytes of a picture arrive.
    func receive(
        _ asset: ProductAsset, _ header: ImageHeader?, size: Int64? = nil
    ) async throws {
        files.arrive(
            asset.id,
            ArrivedPicture(
                digest: Self.digest, checksum: Self.checksum, size: size ?? asset.size,
                header: header), at: clock.now())
    }

    /// Takes a product the way through review, as far as its rows go.
    func approve(_ number: ProductNumber) async throws {
        let date = clock.now()
        try await database.write { repositories in
            guard let record = try repositories.products.record(number) else { return }
            let app = record.summary.app
            try repositories.catalog.setState(.approved, of: record.id, in: app)
            if let onSale = record.revisionOnSale {
                try repositories.revisions.setState(.replaced, of: onSale.id, at: date)
            }
            if let open = record.openRevision {
                try repositories.revisions.setTexts(record.product.details.texts, of: open.id)
                try repositories.revisions.setState(.approved, of: open.id, at: date)
            }
        }
    }

    func record(_ number: ProductNumber) async throws -> ProductRecord? {
        try await database.read { try $0.products.record(number) }
    }

    /// What the audit log says, the oldest first.
    func log() async throws -> [String] {
        try await database.read { try $0.audit.entries(team: nil, before: nil, limit: 1000) }
            .reversed().map { "\($0.entry.action) \($0.entry.subject)" }
    }
}

/// A store of pictures that knows digests and dates only.
final class KeptFiles: PictureFiles {
    private let kept = Locked<[ContentDigest: Date]>([:])
    private let arriving = Locked<[AssetID: ArrivedPicture]>([:])

    func put(_ digest: ContentDigest, at date: Date) { kept.value[digest] = date }

    func arrive(_ id: AssetID, _ picture: ArrivedPicture, at date: Date) {
        arriving.value[id] = picture
        put(picture.digest, at: date)
    }

    func write(_ bytes: Data, at offset: Int64, of id: AssetID) {}
    func finish(_ id: AssetID) -> ArrivedPicture? { arriving.value[id] }
    func abandon(_ id: AssetID) { arriving.value[id] = nil }
    func abandon(before date: Date) {}
    func store(file: URL, digest: ContentDigest) { put(digest, at: Date(timeIntervalSince1970: 0)) }
    func open(_ digest: ContentDigest) -> OpenContent? { nil }
    func exists(_ digest: ContentDigest) -> Bool { kept.value[digest] != nil }
    func remove(_ digest: ContentDigest) { kept.value[digest] = nil }
    func list() -> [StoredContent] {
        kept.value.map { StoredContent(digest: $0.key, length: 3, date: $0.value) }
    }
}
