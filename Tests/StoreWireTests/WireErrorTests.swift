import Foundation
import StoreModel
import StoreWire
import Testing

@Suite("Errors on the wire")
struct WireErrorTests {
    @Test func `an unknown code and reason survive a round trip`() throws {
        let json = #"{"code":"moonPhase","message":"Wait.","reason":"eclipse"}"#
        let error = try WireCoding.decode(WireError.self, from: Data(json.utf8))
        #expect(error.code.rawValue == "moonPhase")
        #expect(error.code != .internalError)
        #expect(error.reason?.rawValue == "eclipse")
        #expect(String(decoding: try WireCoding.encode(error), as: UTF8.self) == json)
    }

    @Test func `a known code is a plain string`() throws {
        let error = WireError(code: .priceChanged, message: "Ask again.")
        let json = String(decoding: try WireCoding.encode(error), as: UTF8.self)
        #expect(json == #"{"code":"priceChanged","message":"Ask again."}"#)
        let decoded = try WireCoding.decode(WireError.self, from: Data(json.utf8))
        #expect(decoded.code == .priceChanged)
        #expect(decoded == error)
    }

    @Test func `a known reason is a plain string`() throws {
        let product = InvalidProduct(
            productId: "a b", reason: InvalidReasonCode(rawValue: "malformed"), message: "No.")
        let json = String(decoding: try WireCoding.encode(product), as: UTF8.self)
        #expect(json == #"{"message":"No.","productId":"a b","reason":"malformed"}"#)
        #expect(try WireCoding.decode(InvalidProduct.self, from: Data(json.utf8)) == product)
    }
}

@Suite("Paths of the device")
struct DeviceRouteTests {
    @Test func `transactions and content are named in the path`() {
        #expect(DeviceRoute.finish("42") == "/device/v1/transactions/42/finish")
        #expect(DeviceRoute.downloads("42") == "/device/v1/transactions/42/downloads")
        #expect(DeviceRoute.content("ab") == "/content/ab")
    }
}

@Suite("Signed payloads")
struct SignedPayloadTests {
    @Test func `a transaction has the keys of Apple's payload and no empty ones`() throws {
        let payload = TransactionPayload(
            transactionId: TransactionID(number: 2),
            originalTransactionId: TransactionID(number: 1),
            bundleId: "com.example.shop", productId: "com.example.shop.badge",
            type: ProductType.nonConsumable.rawValue, quantity: 1, purchaseDate: 3,
            originalPurchaseDate: 4, signedDate: 5, environment: "Sandbox",
            inAppOwnershipType: "PURCHASED", transactionReason: "PURCHASE", storefront: "JPN",
            storefrontId: "143462", currency: "JPY", price: 120_000, appAccountToken: nil)
        let json = String(decoding: try WireCoding.encode(payload), as: UTF8.self)
        #expect(
            json == """
                {"bundleId":"com.example.shop","currency":"JPY","environment":"Sandbox",\
                "inAppOwnershipType":"PURCHASED","originalPurchaseDate":4,\
                "originalTransactionId":"1","price":120000,"productId":"com.example.shop.badge",\
                "purchaseDate":3,"quantity":1,"signedDate":5,"storefront":"JPN",\
                "storefrontId":"143462","transactionId":"2","transactionReason":"PURCHASE",\
                "type":"Non-Consumable"}
                """)
        let decoded = try WireCoding.decode(TransactionPayload.self, from: Data(json.utf8))
        #expect(decoded == payload)
    }

    @Test func `the kinds of our own statements differ from one another`() {
        #expect(SignedKind.profile != SignedKind.delivery)
    }
}
