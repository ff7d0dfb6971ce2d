import Testing

import struct StoreKit.SKError
import enum StoreKit.SKDownloadState
import enum StoreKit.SKPaymentTransactionState
import let StoreKit.SKErrorDomain
import StoreKit

@Suite struct Errors {
    @Test func `an NSError of the domain is an SKError, and the reverse`() {
        let plain: any Error = NSError(domain: SKErrorDomain, code: 2)
        #expect((plain as? SKError)?.code == .paymentCancelled)
        #expect((NSError(domain: "other", code: 2) as any Error) as? SKError == nil)
        let error: any Error = SKError(.storeProductNotAvailable, userInfo: ["key": "value"])
        #expect((error as NSError).domain == "SKErrorDomain")
        #expect((error as NSError).code == 5)
        #expect((error as NSError).userInfo["key"] as? String == "value")
    }

    @Test func `errors are caught by code`() {
        func name(_ thrown: any Error) -> String {
            do { throw thrown } catch SKError.paymentCancelled { return "cancelled" } catch let
                error as SKError
            { return "code \(error.errorCode)" } catch { return "other" }
        }
        #expect(name(SKError(.paymentCancelled)) == "cancelled")
        #expect(name(NSError(domain: SKErrorDomain, code: 2)) == "cancelled")
        #expect(name(SKError(.paymentInvalid)) == "code 3")
        #expect(name(URLError(.timedOut)) == "other")
    }

    @Test func `open enums take values of the future`() {
        #expect(SKPaymentTransactionState(rawValue: 92_159_124)?.rawValue == 92_159_124)
        #expect(SKError.Code(rawValue: 99)?.rawValue == 99)
        #expect(SKDownloadState.cancelled.rawValue == 5)
        #expect(SKProduct.PeriodUnit.year.rawValue == 3)
    }
}
