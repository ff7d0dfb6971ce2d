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

    /// As libraries write it.
    private static func wrapped(_ error: any Error) -> SKError {
        SKError(_nsError: error as NSError)
    }

    @Test func `an SKError is made of any error, and keeps its domain and code`() {
        for (error, domain, code) in [
            (SKError(.paymentInvalid), "SKErrorDomain", 3),
            (URLError(.notConnectedToInternet), NSURLErrorDomain, -1009),
            (CocoaError(.fileNoSuchFile), NSCocoaErrorDomain, 4),
            (NSError(domain: "com.example", code: 2), "com.example", 2),
        ] as [(any Error, String, Int)] {
            let wrapped = Self.wrapped(error)
            #expect(wrapped.code.rawValue == code && wrapped.errorCode == code)
            #expect((wrapped as NSError).domain == domain && (wrapped as NSError).code == code)
            let thrown: Any = wrapped
            #expect((thrown as? NSError)?.domain == domain && (thrown as? NSError)?.code == code)
            #expect(wrapped == Self.wrapped(error) && !wrapped.localizedDescription.isEmpty)
        }
    }

    @Test func `an error of another domain is caught by no code`() {
        func isCancelled(_ thrown: any Error) -> Bool {
            do { throw thrown } catch SKError.paymentCancelled { return true } catch {
                return false
            }
        }
        #expect(isCancelled(Self.wrapped(NSError(domain: SKErrorDomain, code: 2))))
        #expect(!isCancelled(Self.wrapped(NSError(domain: "com.example", code: 2))))
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
