import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreTestSupport
import Synchronization
import Testing

/// When a product's page is loaded and shown, and what the app hears of it.
struct ProductLoads {
    private static let id = SKStoreProductParameterITunesItemIdentifier
    private static let items = ["7", "8"].map {
        PageServer.Item(id: $0, bundleID: "b\($0)", page: "https://store.example/id\($0)")
    }

    @MainActor @Test func `loading anew ends what is still under way`() async throws {
        let gate = Gate()
        let server = try PageServer(Self.items, hold: { if $0 == "7" { await gate.passes() } })
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let controller = SKStoreProductViewController(device: device.device)
        let first = Task {
            await withCheckedContinuation { continuation in
                controller.loadProduct(withParameters: [Self.id: 7]) { isLoaded, error in
                    MainActor.preconditionIsolated()
                    let cause = (error as? SKError)?.userInfo[NSUnderlyingErrorKey] as? URLError
                    #expect((error as? SKError)?.code == .storeProductNotAvailable)
                    #expect(cause?.code == .cancelled)
                    continuation.resume(returning: isLoaded)
                }
            }
        }
        await gate.isReached()
        try await controller.loadProduct(withParameters: [Self.id: 8])
        #expect(await first.value == false)
        gate.open()
        try await controller.openStorePresent()
        #expect(device.shown.all == ["https://store.example/id8"])
    }

    @MainActor @Test func `an app that gives up hears so`() async throws {
        let gate = Gate()
        let server = try PageServer(Self.items, hold: { _ in await gate.passes() })
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let controller = SKStoreProductViewController(device: device.device)
        let task = Task { try await controller.loadProduct(withParameters: [Self.id: 7]) }
        await gate.isReached()
        task.cancel()
        let error = await #expect(throws: SKError.self) { try await task.value }
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? URLError)?.code == .cancelled)
        gate.open()
        await #expect(throws: SKError.self) { try await controller.openStorePresent() }
    }

    @MainActor @Test func `an item is shown once at a time, and each time told once`() async throws
    {
        let server = try PageServer(Self.items)
        let sheet = HoldingSheet()
        let device = try await PageDevice(
            try await TestStore(), address: server.address, sheet: sheet)
        let controller = SKStoreProductViewController(device: device.device)
        let delegate = PageDelegate()
        controller.delegate = delegate
        try await controller.loadProduct(withParameters: [Self.id: 7])
        let first = Task { try await controller.openStorePresent() }
        await sheet.gate.isReached()
        let error = await #expect(throws: SKError.self) {
            try await controller.openStorePresent()
        }
        #expect(error?.code == .storeProductNotAvailable)
        #expect(delegate.count == 0)
        sheet.gate.open()
        try await first.value
        _ = await delegate.finished()
        #expect(delegate.count == 1)
        try await controller.openStorePresent()
        _ = await delegate.finished()
        #expect(delegate.count == 2)
        #expect(sheet.items.withLock { $0.map(\.identifier) } == [7, 7])
    }

    @MainActor @Test func `the sheet gets what the store tells`() async throws {
        let facts: [[String: any Sendable]] = [
            [
                "trackName": "Reader", "sellerName": "Ada’s Books", "artistName": "Ada",
                "formattedPrice": "$0.99", "averageUserRating": 4.5, "userRatingCount": 12,
                "description": "Reads.\nAloud.",
            ],
            [
                "collectionName": "Songs", "collectionViewUrl": "https://store.example/album/id8",
                "artistName": "Band", "collectionPrice": 9.99, "currency": "USD",
                "averageUserRating": 7, "userRatingCount": 3,
            ],
            ["trackName": "Song", "trackPrice": -1.0, "currency": "USD", "longDescription": "L"],
        ]
        let server = try PageServer(
            facts.enumerated().map { number, facts in
                PageServer.Item(
                    id: "\(number + 1)", bundleID: "b",
                    page: number == 1 ? nil : "https://store.example/\(number)", facts: facts)
            })
        let sheet = HoldingSheet()
        sheet.gate.open()
        let device = try await PageDevice(
            try await TestStore(), address: server.address, sheet: sheet)
        let controller = SKStoreProductViewController(device: device.device)
        for number in 1...3 {
            try await controller.loadProduct(withParameters: [Self.id: number])
            try await controller.openStorePresent()
        }
        let items = sheet.items.withLock { $0 }
        #expect(items.map(\.title) == ["Reader", "The app", "Song"])
        #expect(items.map(\.seller) == ["Ada’s Books", "Band", ""])
        #expect(items.map(\.price) == ["$0.99", "$9.99", nil])
        #expect(items.map(\.rating) == [4.5, nil, nil])
        #expect(items.map(\.ratingCount) == [12, 0, 0])
        #expect(items.map(\.summary) == ["Reads.\nAloud.", "", "L"])
        #expect(items.map(\.isSandbox) == [true, true, true])
        let album = items.dropFirst().first
        #expect(album?.url.absoluteString == "https://store.example/album/id8")
    }
}

/// A sheet that keeps items on the screen until its gate is open.
private final class HoldingSheet: OpenStoreSheet {
    let gate = Gate()
    let items = Mutex<[OpenStoreItem]>([])

    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool { false }
    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? { nil }

    func present(_ item: OpenStoreItem) async throws {
        items.withLock { $0.append(item) }
        await gate.passes()
    }
}
