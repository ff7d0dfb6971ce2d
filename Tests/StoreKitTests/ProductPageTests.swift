import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreTestSupport
import Testing

struct ProductPages {
    private static let page = "https://store.example/us/app/reader/id7"

    private static func server(page: String? = page) throws -> PageServer {
        try PageServer([PageServer.Item(id: "7", bundleID: "com.example.shop", page: page)])
    }

    /// What loading ends with: nothing, or the error that lies under the visible one.
    @MainActor private static func cause(
        _ parameters: [String: any Sendable], _ device: StoreDevice
    ) async throws -> (any Error)? {
        let controller = SKStoreProductViewController(device: device)
        do {
            #expect(try await controller.loadProduct(withParameters: parameters))
            return nil
        } catch let error as SKError {
            #expect(error.code == .storeProductNotAvailable)
            // As apps know it: SKErrorDomain, code 5, and Apple's sentence.
            let visible = error as NSError
            #expect(visible.domain == SKErrorDomain && visible.code == 5)
            #expect(visible.localizedDescription == "Cannot connect to iTunes Store")
            return try #require(error.userInfo[NSUnderlyingErrorKey] as? any Error)
        }
    }

    @MainActor @Test func `a page is loaded, shown, and the delegate told`() async throws {
        let server = try Self.server()
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let controller = SKStoreProductViewController(device: device.device)
        let delegate = PageDelegate()
        controller.delegate = delegate
        let loaded = await withCheckedContinuation { continuation in
            controller.loadProduct(
                withParameters: [SKStoreProductParameterITunesItemIdentifier: NSNumber(value: 7)]
            ) { isLoaded, error in continuation.resume(returning: isLoaded && error == nil) }
        }
        #expect(loaded)
        #expect(device.shown.all.isEmpty)
        try await controller.openStorePresent()
        #expect(await delegate.finished() === controller)
        #expect(device.shown.all == [Self.page])
    }

    @MainActor @Test func `the number of an in-app purchase shows its app`() async throws {
        let server = try PageServer([
            PageServer.Item(
                id: "7", bundleID: "com.example.shop", page: Self.page, purchases: ["9"],
                facts: ["trackId": 7])
        ])
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let controller = SKStoreProductViewController(device: device.device)
        let key = SKStoreProductParameterITunesItemIdentifier
        #expect(try await controller.loadProduct(withParameters: [key: 9]))
        try await controller.openStorePresent()
        #expect(device.shown.all == [Self.page])
    }

    @Test(arguments: ["7", "+7"]) func `an identifier may be digits`(text: String) async throws {
        let server = try Self.server()
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let key = SKStoreProductParameterITunesItemIdentifier
        #expect(try await Self.cause([key: text], device.device) == nil)
        #expect(try await Self.cause([key: 7], device.device) == nil)
    }

    @Test func `what is no identifier is said to be none`() async throws {
        let server = try Self.server()
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let key = SKStoreProductParameterITunesItemIdentifier
        let values: [any Sendable] = [
            "id7", "", -7, 0, 7.5, Double.nan, 1e300, [7], true, UInt64.max,
        ]
        for value in values {
            let cause = try await Self.cause([key: value], device.device)
            #expect(cause?.localizedDescription.contains("no item identifier") == true)
        }
        let cause = try await Self.cause(["at": "x"], device.device)
        #expect(cause?.localizedDescription.contains("ITunesItemIdentifier") == true)
    }

    @Test func `an unknown item, a page that is none, and a store without pages`() async throws {
        let store = try await TestStore()
        let parameters = [SKStoreProductParameterITunesItemIdentifier: 8]
        let server = try Self.server()
        var device = try await PageDevice(store, address: server.address)
        var cause = try await Self.cause(parameters, device.device)
        #expect(cause?.localizedDescription.contains("has nothing for") == true)

        let known = [SKStoreProductParameterITunesItemIdentifier: 7]
        for page in [
            "file:///etc/passwd", "file://localhost/etc/passwd", "javascript:alert(1)", "https://",
            nil,
        ] {
            let hostile = try Self.server(page: page)
            device = try await PageDevice(store, address: hostile.address)
            cause = try await Self.cause(known, device.device)
            #expect(cause?.localizedDescription.contains("names no page") == true)
        }

        let broken = try PageServer([], status: 500)
        device = try await PageDevice(store, address: broken.address)
        cause = try await Self.cause(known, device.device)
        #expect(cause?.localizedDescription.contains("status 500") == true)

        let endless = try PageServer([], padding: 2 << 20)
        device = try await PageDevice(store, address: endless.address)
        cause = try await Self.cause(known, device.device)
        #expect((cause as? URLError)?.code == .dataLengthExceedsMaximum)

        device = try await PageDevice(store, address: "http://127.0.0.1:1")
        cause = try await Self.cause(known, device.device)
        #expect((cause as? URLError)?.code == .cannotConnectToHost)
    }

    @MainActor @Test func `what was not loaded or can't be shown is not presented`() async throws {
        let server = try Self.server()
        let device = try await PageDevice(
            try await TestStore(), address: server.address, canShow: false)
        let controller = SKStoreProductViewController(device: device.device)
        let delegate = PageDelegate()
        controller.delegate = delegate
        var error = await #expect(throws: SKError.self) {
            try await controller.openStorePresent()
        }
        #expect(error?.code == .storeProductNotAvailable)
        let parameters = [SKStoreProductParameterITunesItemIdentifier: 7]
        #expect(try await controller.loadProduct(withParameters: parameters))
        error = await #expect(throws: SKError.self) { try await controller.openStorePresent() }
        #expect(error?.code == .unsupportedPlatform)
        #expect(delegate.count == 0)
    }
}
