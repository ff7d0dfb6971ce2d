import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreTestSupport
import Testing

/// What the parameters of a product's page mean, and what they have to be.
struct ProductParameters {
    private static let page = "https://store.example/us/app/reader/id7"
    private static let id = SKStoreProductParameterITunesItemIdentifier

    private static func server(storefronts: Set<String>? = nil) throws -> PageServer {
        try PageServer(
            [
                PageServer.Item(
                    id: "7", bundleID: "com.example.shop", page: page, storefronts: storefronts)
            ], tellsWhy: true)
    }

    /// Loads and presents, and gives the address that is shown.
    @MainActor private static func shown(_ parameters: [String: Any]) async throws -> String? {
        let server = try server()
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let controller = SKStoreProductViewController(device: device.device)
        try await controller.loadProduct(withParameters: parameters)
        try await controller.openStorePresent()
        return device.shown.all.last
    }

    @MainActor @Test func `tokens go with the customer to the page`() async throws {
        let shown = try await Self.shown([
            Self.id: 7, SKStoreProductParameterAffiliateToken: "ada12",
            SKStoreProductParameterCampaignToken: "spring 1&2",
            SKStoreProductParameterProviderToken: "117843",
        ])
        let address = try #require(shown.flatMap { URLComponents(string: $0) })
        #expect(shown?.hasPrefix(Self.page + "?") == true)
        #expect(
            address.queryItems == [
                URLQueryItem(name: "at", value: "ada12"),
                URLQueryItem(name: "ct", value: "spring 1&2"),
                URLQueryItem(name: "pt", value: "117843"),
            ])
    }

    @MainActor @Test func `what has no effect here is accepted`() async throws {
        let shown = try await Self.shown([
            Self.id: "7", SKStoreProductParameterAffiliateToken: "",
            SKStoreProductParameterProductIdentifier: "com.example.pro",
            SKStoreProductParameterCustomProductPageIdentifier: UUID(),
            SKStoreProductParameterAdvertisingPartnerToken: "ad",
            SKStoreProductParameterAdNetworkAttributionSignature: "s",
            SKStoreProductParameterAdNetworkCampaignIdentifier: 1,
            SKStoreProductParameterAdNetworkSourceIdentifier: 9999,
            SKStoreProductParameterAdNetworkIdentifier: "example.skadnetwork",
            SKStoreProductParameterAdNetworkNonce: NSUUID(uuidString: UUID().uuidString)!,
            SKStoreProductParameterAdNetworkTimestamp: NSNumber(value: 1_700_000_000_000),
            SKStoreProductParameterAdNetworkSourceAppStoreIdentifier: 0,
            SKStoreProductParameterAdNetworkVersion: "4.0", "something else": Data(),
        ])
        #expect(shown == Self.page)
    }

    @Test(
        arguments: [
            (SKStoreProductParameterAffiliateToken, 7, "AffiliateToken"),
            (SKStoreProductParameterCampaignToken, Data(), "CampaignToken"),
            (SKStoreProductParameterProviderToken, 117_843, "ProviderToken"),
            (SKStoreProductParameterProductIdentifier, 1, "ProductIdentifier"),
            (
                SKStoreProductParameterCustomProductPageIdentifier, "page",
                "CustomProductPageIdentifier"
            ),
            (SKStoreProductParameterAdvertisingPartnerToken, 1, "AdvertisingPartnerToken"),
            (
                SKStoreProductParameterAdNetworkAttributionSignature, Data(),
                "AdNetworkAttributionSignature"
            ),
            (
                SKStoreProductParameterAdNetworkCampaignIdentifier, "1",
                "AdNetworkCampaignIdentifier"
            ),
            (SKStoreProductParameterAdNetworkSourceIdentifier, 10_000, "9999"),
            (SKStoreProductParameterAdNetworkSourceIdentifier, true, "9999"),
            (SKStoreProductParameterAdNetworkIdentifier, 1, "AdNetworkIdentifier"),
            (SKStoreProductParameterAdNetworkNonce, "nonce", "AdNetworkNonce"),
            (SKStoreProductParameterAdNetworkTimestamp, -1, "AdNetworkTimestamp"),
            (
                SKStoreProductParameterAdNetworkSourceAppStoreIdentifier, 0.5,
                "AdNetworkSourceAppStoreIdentifier"
            ),
            (SKStoreProductParameterAdNetworkVersion, 4.0, "AdNetworkVersion"),
        ] as [(String, any Sendable, String)])
    func `a wrong value is said to be one`(key: String, value: any Sendable, word: String) {
        let error = #expect(throws: NSError.self) {
            try ProductPageParameters([Self.id: 7, key: value])
        }
        #expect(error?.localizedDescription.contains(word) == true)
    }

    @MainActor
    @Test(arguments: [
        (SKStoreProductParameterAffiliateToken, String(repeating: "a", count: 21), "4 to 20"),
        (SKStoreProductParameterAffiliateToken, "abc", "4 to 20"),
        (SKStoreProductParameterAffiliateToken, "a\nbcd", "AffiliateToken “a\u{FFFD}bcd”"),
        (SKStoreProductParameterCampaignToken, String(repeating: "ä", count: 21), "40 bytes"),
        (SKStoreProductParameterProviderToken, String(repeating: "1", count: 21), "1 to 20"),
    ])
    func `a token that the store would not know is left out, and the log says so`(
        key: String, token: String, words: String
    ) async throws {
        let server = try Self.server()
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let controller = SKStoreProductViewController(device: device.device)
        let others = [
            SKStoreProductParameterAffiliateToken: "ada12",
            SKStoreProductParameterCampaignToken: "spring",
            SKStoreProductParameterProviderToken: "117843",
        ].filter { $0.key != key }
        let parameters = others.merging([Self.id: "7", key: token]) { $1 }
        try await controller.loadProduct(withParameters: parameters)
        try await controller.openStorePresent()
        let shown = try #require(device.shown.all.last.flatMap { URLComponents(string: $0) })
        // What is wrong takes nothing else with it.
        #expect(Set(shown.queryItems?.compactMap(\.value) ?? []) == Set(others.values))
        #expect(device.log.all.count == 1)
        #expect(device.log.all.first?.contains(words) == true)
        #expect(device.log.all.first?.contains("left out") == true)
    }

    @Test func `nobody is asked about a wrong value`() async throws {
        let server = try Self.server()
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let error = await Self.failure(
            [Self.id: 7, SKStoreProductParameterAffiliateToken: 7], device.device)
        #expect(error?.code == .storeProductNotAvailable)
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.localizedDescription.contains("AffiliateToken") == true)
        #expect(server.asked.all.isEmpty)
    }

    @Test func `a number beyond doubles is taken as it is`() throws {
        let number: Int64 = 9_007_199_254_740_993
        #expect(try ProductPageParameters([Self.id: number]).item == number)
        #expect(try ProductPageParameters([Self.id: NSNumber(value: number)]).item == number)
        #expect(try ProductPageParameters([Self.id: "\(number)"]).item == number)
    }

    // MARK: Causes

    @MainActor private static func failure(
        _ parameters: [String: any Sendable], _ device: StoreDevice
    ) async -> SKError? {
        let controller = SKStoreProductViewController(device: device)
        do {
            try await controller.loadProduct(withParameters: parameters)
            return nil
        } catch { return error as? SKError }
    }

    @Test func `an item of another storefront is told from one that there is not`() async throws {
        let server = try Self.server(storefronts: ["jp"])
        let device = try await PageDevice(try await TestStore(), address: server.address)
        for (item, code) in [(7, "itemNotInStorefront"), (8, "itemUnknown")] {
            let error = await Self.failure([Self.id: item], device.device)
            #expect(error?.code == .storeProductNotAvailable)
            let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
            #expect(cause?.userInfo["code"] as? String == code)
            #expect(cause?.localizedDescription == "because of \(code)")
        }
        #expect(
            server.asked.all.prefix(3) == [
                "/sandbox/lookup?country=us&id=7", "/sandbox/lookup?country=us&inAppPurchaseId=7",
                "/sandbox/device/v1/items/7?storefront=USA",
            ])
    }

    @MainActor @Test func `the storefront is the one of the account`() async throws {
        let server = try Self.server(storefronts: ["jp"])
        let store = try await TestStore()
        let device = try await PageDevice(store, address: server.address)
        let account = try await TestDevice(store)
        try device.device.sessions.save(
            try await account.device.client.signIn(
                email: TestStore.japanese, password: TestStore.password))
        #expect(await Self.failure([Self.id: 7], device.device) == nil)
        #expect(server.asked.all == ["/sandbox/lookup?country=jp&id=7"])
    }

    @Test func `an answer is kept for a minute, for its storefront`() async throws {
        let server = try Self.server()
        let clock = SettableClock()
        let device = try await PageDevice(
            try await TestStore(), address: server.address, now: { clock.now() })
        for seconds in [0.0, 59, 1, 30] {
            clock.advance(by: seconds)
            #expect(await Self.failure([Self.id: 7], device.device) == nil)
        }
        #expect(server.asked.all.count == 2)
        clock.advance(by: -3600)
        #expect(await Self.failure([Self.id: 7], device.device) == nil)
        #expect(server.asked.all.count == 3)
        // What there is not is asked for each time.
        for _ in 0..<2 { #expect(await Self.failure([Self.id: 8], device.device) != nil) }
        #expect(server.asked.all.count { $0.contains("lookup") && $0.contains("&id=8") } == 2)
    }

    // MARK: Addresses

    @Test func `the address is had without a controller`() async throws {
        let server = try Self.server(storefronts: ["jp", "us"])
        let device = try await PageDevice(try await TestStore(), address: server.address)
        func url(_ storefront: String?, at: String? = nil, ct: String? = nil) async throws
            -> String
        {
            try await OpenStore.productPageURL(
                forItem: 7, storefront: storefront, affiliateToken: at, campaignToken: ct,
                device: { device.device }
            ).absoluteString
        }
        #expect(try await url(nil) == Self.page)
        let campaign: String = Self.page + "?at=ada12&ct=spring"
        #expect(try await url("jpn", at: "ada12", ct: "spring") == campaign)
        let long: String = String(repeating: "a", count: 21)
        #expect(try await url(nil, at: long) == Self.page)
        #expect(device.log.all.count == 1)
        #expect(try await url("JP") == Self.page)
        let asked: [String] = server.asked.all.map { String($0.suffix(15)) }
        #expect(asked == ["country=us&id=7", "country=jp&id=7"])
        let refused: [(storefront: String, word: String)] = [
            ("XYZ", "no storefront XYZ"), ("FRA", "itemNotInStorefront"),
        ]
        for (storefront, word) in refused {
            let error = await #expect(throws: SKError.self) { try await url(storefront) }
            #expect(error?.code == .storeProductNotAvailable)
            let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
            #expect(cause?.localizedDescription.contains(word) == true)
        }
    }
}
