import Foundation
import StoreCore
import StoreModel
import Testing

/// Pictures of products: reserved, sent, confirmed.
@Suite(.usesDrivers) struct AssetServiceTests {
    private static let good = ImageHeader(format: .png, width: 640, height: 920)

    private func expect(
        _ rule: String, _ body: () async throws -> some Any,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        await #expect(sourceLocation: sourceLocation) { _ = try await body() } throws: {
            ($0 as? ConnectRefusal)?.rule == rule
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a picture goes its way once`(driver: StoreDriver) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.create().number
        let (assets, actor) = (shop.assets, shop.actor())
        let asset = try await assets.reserve(
            AssetID(UUID()), kind: .reviewScreenshot, fileName: "a.png", size: 3, of: number,
            by: actor)
        #expect(asset.state == .awaitingUpload)
        await expect("assetMissing") {
            try await assets.commit(
                asset.id, kind: .reviewScreenshot, checksum: nil, by: actor)
        }
        for (offset, count) in [(-1, 1), (3, 1), (0, 4), (Int64.max, 1)] as [(Int64, Int)] {
            await expect("assetRange") {
                try await assets.write(Data(count: count), at: offset, of: asset.id, by: actor)
            }
        }
        try await assets.write(Data(count: 2), at: 1, of: asset.id, by: actor)
        try await shop.receive(asset, Self.good)
        await expect("notFound") {
            try await assets.write(Data(), at: 0, of: asset.id, by: shop.stranger)
        }
        await expect("notFound") {
            try await assets.commit(asset.id, kind: .image, checksum: nil, by: actor)
        }
        await expect("notFound") {
            try await assets.commit(
                asset.id, kind: .reviewScreenshot, checksum: nil, by: shop.stranger)
        }
        shop.files.remove(ProductShop.digest)
        await #expect(throws: ContentFilesMissing.self, "somebody has collected the bytes") {
            try await assets.commit(
                asset.id, kind: .reviewScreenshot, checksum: nil, by: actor)
        }
        try await shop.receive(asset, Self.good)
        let taken = try await assets.commit(
            asset.id, kind: .reviewScreenshot, checksum: ProductShop.checksum.uppercased(),
            by: actor)
        #expect(taken.state == .complete && taken.problem == nil && taken.header == Self.good)
        await expect("assetDecided") {
            try await assets.commit(
                asset.id, kind: .reviewScreenshot, checksum: nil, by: actor)
        }
        await expect("assetDecided") {
            try await assets.write(Data(), at: 0, of: asset.id, by: actor)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `bytes that are not what they should be fail, and say why`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.create().number
        for (header, checksum, size, problem) in [
            (Self.good, "0", 3, "checksum"), (nil, nil, 3, "neither"),
            (Self.good, nil, 2, "2 arrived"),
            (ImageHeader(format: .png, width: 1, height: 1), nil, 3, "pixels"),
        ] as [(ImageHeader?, String?, Int64, String)] {
            let asset = try await shop.assets.reserve(
                AssetID(UUID()), kind: .reviewScreenshot, fileName: "a.png", size: 3,
                of: number, by: shop.actor())
            try await shop.receive(asset, header, size: size)
            let failed = try await shop.assets.commit(
                asset.id, kind: .reviewScreenshot, checksum: checksum, by: shop.actor())
            #expect(failed.state == .failed)
            #expect(failed.problem?.contains(problem) == true)
            let record = try #require(try await shop.record(number))
            #expect(record.assets == [failed], "a new one takes the place of the old one")
            #expect(shop.products.missing(in: record).contains(.screenshotUnfinished))
        }
    }

    @Test func `a team that replaces pictures again and again has its share of the disk`()
        async throws
    {
        // Twenty bytes beside those that stay free.
        let free = UploadRules.store.reserve + 20
        let shop = try await ProductShop(try #require(StoreDriver.one.first), free: free)
        let number = try await shop.create().number
        var taken = 0
        await expect("mediaShare") {
            for _ in 1...100 {
                _ = try await shop.screenshot(of: number)
                taken += 1
            }
        }
        // Each has three bytes, and the first replaces none.
        #expect(taken == 8)
        await expect("mediaShare") { try await shop.screenshot(of: number) }
        shop.clock.advance(by: 86_400)
        _ = try await shop.screenshot(of: number)
    }

    @Test(arguments: StoreDriver.all, [false, true])
    func `what has arrived of a picture goes when it is replaced or deleted`(
        driver: StoreDriver, isReplaced: Bool
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.create().number
        func reserve() async throws -> ProductAsset {
            try await shop.assets.reserve(
                AssetID(UUID()), kind: .reviewScreenshot, fileName: "a.png", size: 3,
                of: number, by: shop.actor())
        }
        let asset = try await reserve()
        try await shop.receive(asset, Self.good, size: 3)
        #expect(shop.files.finish(asset.id) != nil)
        if isReplaced {
            _ = try await reserve()
        } else {
            try await shop.assets.delete(
                asset.id, kind: .reviewScreenshot, by: shop.actor())
        }
        #expect(shop.files.finish(asset.id) == nil)
    }

    @Test(arguments: StoreDriver.all)
    func `bytes that no picture has are collected when they are old`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        let stray = ContentDigest(String(repeating: "e", count: 64))!
        shop.files.put(stray, at: shop.clock.now())
        #expect(try await shop.assets.collect(grace: 60) == 0)
        shop.clock.advance(by: 61)
        #expect(try await shop.assets.collect(grace: 60) == 1)
        #expect(shop.files.list().map(\.digest) == [ProductShop.digest])
        let screenshot = try #require(try await shop.record(number)?.reviewScreenshot)
        try await shop.assets.delete(
            screenshot.id, kind: .reviewScreenshot, by: shop.actor())
        #expect(try await shop.assets.collect(grace: 60) == 1)
        #expect(try await shop.record(number)?.state == .missingMetadata)
    }

    @Test(arguments: StoreDriver.all)
    func `bytes that were submitted stay, whatever becomes of the picture`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let number = try await shop.complete().number
        let reviews = ReviewService(database: shop.database, clock: shop.clock)
        let submission = try await reviews.submit(numbers: [number], by: shop.actor())
        _ = try await reviews.withdraw(submission.id, by: shop.actor())
        let screenshot = try #require(try await shop.record(number)?.reviewScreenshot)
        try await shop.assets.delete(
            screenshot.id, kind: .reviewScreenshot, by: shop.actor())
        shop.clock.advance(by: 61)
        #expect(try await shop.assets.collect(grace: 60) == 0)
        #expect(shop.files.exists(ProductShop.digest))
    }
}

/// Products on the app's page in the store.
@Suite(.usesDrivers) struct PromotionServiceTests {
    @Test(arguments: StoreDriver.all)
    func `promotions have an order, which names each of them`(driver: StoreDriver) async throws {
        let shop = try await ProductShop(driver)
        let (promotions, actor) = (shop.promotions, shop.actor())
        let app = shop.shop.app.id
        var ids: [PromotionID] = []
        for number in 1...3 {
            let product = try await shop.create("com.example.shop.coins\(number)").number
            let promotion = try await promotions.create(
                PromotionID(UUID()), of: product, in: app, isVisible: true, isEnabled: false,
                by: actor)
            ids.append(promotion.id)
        }
        func order() async throws -> [PromotionID] {
            try await promotions.promotions(of: app, by: actor).map(\.0.id)
        }
        #expect(try await order() == ids)
        try await promotions.order(ids.reversed(), of: app, by: actor)
        #expect(try await order() == ids.reversed())
        for wrong in [[], Array(ids.prefix(2)), ids + [ids[0]], [PromotionID(UUID())]] {
            await #expect {
                try await promotions.order(wrong, of: app, by: actor)
            } throws: {
                ($0 as? ConnectRefusal)?.rule == "promotionOrder"
            }
        }
        let changed = try await promotions.update(ids[1], isEnabled: true, by: actor)
        #expect(changed.isEnabled && changed.isVisible)
        try await promotions.delete(ids[1], by: actor)
        #expect(try await order() == [ids[2], ids[0]])
        await #expect(throws: ConnectRefusal.self) {
            try await promotions.promotion(ids[0], by: shop.stranger)
        }
    }

    @Test(arguments: StoreDriver.all)
    func `a product is promoted once, in its own app, and not after its end`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ProductShop(driver)
        let product = try await shop.create().number
        func promote(_ app: App) async throws {
            _ = try await shop.promotions.create(
                PromotionID(UUID()), of: product, in: app.id, isVisible: true, isEnabled: true,
                by: shop.actor())
        }
        await #expect { try await promote(shop.shop.otherApp) } throws: {
            ($0 as? ConnectRefusal)?.rule == "productOfOtherApp"
        }
        try await promote(shop.shop.app)
        await #expect { try await promote(shop.shop.app) } throws: {
            ($0 as? ConnectRefusal)?.rule == "promotedTwice"
        }
        try await shop.products.delete(product, by: shop.actor())
        let left = try await shop.promotions.promotions(of: shop.shop.app.id, by: shop.actor())
        #expect(left.isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `an app promotes so many products and no more`(driver: StoreDriver) async throws {
        let shop = try await ProductShop(driver)
        for number in 0...Promotion.limit {
            let product = try await shop.create("com.example.shop.coins\(number)").number
            let promote = { () async throws -> Void in
                _ = try await shop.promotions.create(
                    PromotionID(UUID()), of: product, in: shop.shop.app.id, isVisible: true,
                    isEnabled: true, by: shop.actor())
            }
            if number < Promotion.limit {
                try await promote()
            } else {
                await #expect { try await promote() } throws: {
                    ($0 as? ConnectRefusal)?.rule == "tooManyPromotions"
                }
            }
        }
    }
}
