import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Testing

/// A buyer of the chapter, with a grant for its content.
struct Buyer {
    let client: APIClient
    let clock = SettableClock()
    let bought: TransactionPayload
    let delivery: DeliveryPayload
    let grant: String
    /// Gets the next grant without a session.
    let token: String
    let blobDigest: ContentDigest
    /// The bytes that the grant is for, as they lie in the store.
    let blob: Data

    init(altitude: Altitude) async throws {
        let shop = try await TestStore(isApproved: true, clock: clock, noiseBytes: 50_000)
        client = try await APIClient.signedIn(shop, altitude: altitude)
        bought = try await client.buy(APIClient.chapter(1))
        let answer: DownloadAnswer = try await client.post(
            DeviceRoute.downloads("\(bought.transactionId)"), Self.request())
        grant = answer.grant
        token = try #require(answer.token)
        let payload = try JWSVerifier(root: shop.store.keys.root).verify(
            answer.signedDelivery, type: SignedKind.delivery
        ) {
            Date(milliseconds: try WireCoding.decode(DeliveryPayload.self, from: $0).signedDate)
        }
        delivery = try WireCoding.decode(DeliveryPayload.self, from: payload)
        let catalog = try await shop.store.services.catalog.catalog(of: SampleShop.bundleID)
        let product = try #require(catalog?.products[ProductID(SampleShop.chapter)!])
        blobDigest = try #require(product.releases.first?.blobs.first?.digest)
        let content = try #require(try shop.store.content.open(blobDigest))
        blob =
            try FileHandle(fileDescriptor: content.descriptor, closeOnDealloc: true).readToEnd()
            ?? Data()
    }

    static func request(
        _ content: String = SampleShop.chapter, version: String = "1.0"
    ) -> DownloadRequest {
        DownloadRequest(contentIdentifier: content, version: ContentVersion(version)!)
    }

    /// Asks for bytes with nothing but a grant.
    func fetch(
        _ digest: String? = nil, method: String = "GET", grant: String?, range: String? = nil
    ) async throws -> HTTPResponse {
        var anyone = client
        (anyone.profile, anyone.token, anyone.device) = (nil, nil, nil)
        var headers: HTTPHeaders = [:]
        headers[DeviceRoute.grantHeader] = grant
        headers["Range"] = range
        return try await anyone.send(
            method, DeviceRoute.content(digest ?? blobDigest.text), headers: headers)
    }
}
