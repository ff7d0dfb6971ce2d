import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreTestSupport
import Testing

struct Promotions {
    /// A product that no store has answered.
    private final class Named: SKProduct, @unchecked Sendable {
        // Sendable: constant after `init`.
        private let name: String
        init(_ name: String) {
            self.name = name
            super.init()
        }
        override var productIdentifier: String { name }
    }

    @Test func `visibility outlasts the process and belongs to one product`() async throws {
        let store = try await TestStore()
        let first = try await TestDevice(store)
        let controller = SKProductStorePromotionController(device: first.device)
        let chapter = Named(SampleShop.chapter)
        let badge = Named(SampleShop.badge)
        #expect(try await controller.promotionVisibility(for: chapter) == .default)
        try await controller.update(promotionVisibility: .hide, for: chapter)
        try await controller.update(promotionVisibility: .show, for: badge)

        let second = try await TestDevice(store, folder: first.folder)
        let later = SKProductStorePromotionController(device: second.device)
        #expect(try await later.promotionVisibility(for: chapter) == .hide)
        #expect(try await later.promotionVisibility(for: badge) == .show)
        try await later.update(promotionVisibility: .default, for: chapter)
        #expect(try await controller.promotionVisibility(for: chapter) == .default)
    }

    @Test func `the order comes back as products of the store`() async throws {
        let store = try await TestStore()
        let test = try await TestDevice(store)
        let controller = SKProductStorePromotionController(device: test.device)
        #expect(try await controller.promotionOrder().isEmpty)
        try await controller.update(promotionOrder: [
            Named(SampleShop.chapter), Named("com.example.shop.gone"), Named(SampleShop.badge),
            Named(SampleShop.chapter),
        ])
        let order = try await controller.promotionOrder()
        #expect(order.map(\.productIdentifier) == [SampleShop.chapter, SampleShop.badge])
        #expect(order.allSatisfy { !$0.localizedTitle.isEmpty })
        try await controller.update(promotionOrder: [])
        #expect(try await controller.promotionOrder().isEmpty)
    }

    @Test func `both interfaces set and read the same promotions`() async throws {
        let test = try await TestDevice(try await TestStore())
        let controller = SKProductStorePromotionController(device: test.device)
        let overrides = PromotionOverrides(device: test.device)
        #expect(try Product.PromotionInfo.currentOrder(in: overrides).isEmpty)
        try Product.PromotionInfo.updateAll(
            [
                Product.PromotionInfo(productID: SampleShop.chapter, visibility: .hidden),
                Product.PromotionInfo(productID: SampleShop.badge, visibility: .visible),
            ], in: overrides)
        #expect(try await controller.promotionVisibility(for: Named(SampleShop.chapter)) == .hide)
        let products = try await controller.promotionOrder().map(\.productIdentifier)
        #expect(products == [SampleShop.chapter, SampleShop.badge])
        try await controller.update(promotionVisibility: .default, for: Named(SampleShop.badge))
        let order = try Product.PromotionInfo.currentOrder(in: overrides)
        #expect(order.map(\.productID) == products)
        #expect(order.map(\.visibility) == [.hidden, .appStoreConnectDefault])
    }

    @MainActor @Test func `completion handlers are called where callbacks run`() async throws {
        let test = try await TestDevice(try await TestStore())
        let controller = SKProductStorePromotionController(device: test.device)
        let badge = Named(SampleShop.badge)
        // The main queue's thread is not the main thread in every process.
        let onMainQueue = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: onMainQueue, value: true)
        let failed = await withCheckedContinuation { continuation in
            controller.update(storePromotionVisibility: .show, for: badge) { error in
                continuation.resume(
                    returning:
                        error != nil || DispatchQueue.getSpecific(key: onMainQueue) != true)
            }
        }
        #expect(!failed)
        let visibility = await withCheckedContinuation { continuation in
            controller.fetchStorePromotionVisibility(for: badge) { visibility, error in
                continuation.resume(returning: error == nil ? visibility : .default)
            }
        }
        #expect(visibility == .show)
        let orderFailed = await withCheckedContinuation { continuation in
            controller.update(storePromotionOrder: [badge]) { error in
                continuation.resume(returning: error != nil)
            }
        }
        #expect(!orderFailed)
        let names = await withCheckedContinuation { continuation in
            controller.fetchStorePromotionOrder { products, _ in
                continuation.resume(returning: products.map(\.productIdentifier))
            }
        }
        #expect(names == [SampleShop.badge])
    }

    @Test func `errors are SKErrors, with their cause`() async throws {
        let store = try await TestStore()
        let profile = try await store.profile(address: "http://127.0.0.1:1")
        let test = try await TestDevice(store, profile: profile)
        let controller = SKProductStorePromotionController(device: test.device)
        let nameless = await #expect(throws: SKError.self) {
            try await controller.update(promotionVisibility: .show, for: SKProduct())
        }
        #expect(nameless?.code == .storeProductNotAvailable)
        try await controller.update(promotionOrder: [Named(SampleShop.badge)])
        let offline = await #expect(throws: SKError.self) {
            try await controller.promotionOrder()
        }
        #expect(offline?.userInfo[NSUnderlyingErrorKey] is URLError)
    }

    @Test func `a damaged file counts as none, is said once, and is replaced`() async throws {
        let test = try await TestDevice(try await TestStore())
        let controller = SKProductStorePromotionController(device: test.device)
        let badge = Named(SampleShop.badge)
        try await controller.update(promotionVisibility: .hide, for: badge)
        let folder = test.device.folders.state
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .first { $0.hasPrefix("promotions-") && $0.hasSuffix(".json") })
        let unknown = #"{"order":[],"visibility":{"\#(SampleShop.badge)":99}}"#
        for damaged in [
            Data("{".utf8), Data(), Data([0xFF, 0x00]), Data("[]".utf8), Data(unknown.utf8),
        ] {
            try damaged.write(to: folder.appendingPathComponent(name))
            #expect(try await controller.promotionVisibility(for: badge) == .default)
        }
        try await controller.update(promotionVisibility: .show, for: badge)
        #expect(try await controller.promotionVisibility(for: badge) == .show)
        #expect(test.recorder.logged.count { $0.contains("is damaged") } == 1)
    }
}
