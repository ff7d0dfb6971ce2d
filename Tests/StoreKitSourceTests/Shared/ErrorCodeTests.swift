import StoreKit
import Testing

// Points 8 and 9: SKError as Apple's.

private let codes: [(Int, SKError.Code, SKError.Code)] = [
    (0, SKError.unknown, .unknown),
    (1, SKError.clientInvalid, .clientInvalid),
    (2, SKError.paymentCancelled, .paymentCancelled),
    (3, SKError.paymentInvalid, .paymentInvalid),
    (4, SKError.paymentNotAllowed, .paymentNotAllowed),
    (5, SKError.storeProductNotAvailable, .storeProductNotAvailable),
    (6, SKError.cloudServicePermissionDenied, .cloudServicePermissionDenied),
    (7, SKError.cloudServiceNetworkConnectionFailed, .cloudServiceNetworkConnectionFailed),
    (8, SKError.cloudServiceRevoked, .cloudServiceRevoked),
    (9, SKError.privacyAcknowledgementRequired, .privacyAcknowledgementRequired),
    (10, SKError.unauthorizedRequestData, .unauthorizedRequestData),
    (11, SKError.invalidOfferIdentifier, .invalidOfferIdentifier),
    (12, SKError.invalidSignature, .invalidSignature),
    (13, SKError.missingOfferParams, .missingOfferParams),
    (14, SKError.invalidOfferPrice, .invalidOfferPrice),
    (15, SKError.overlayCancelled, .overlayCancelled),
    (16, SKError.overlayInvalidConfiguration, .overlayInvalidConfiguration),
    (17, SKError.overlayTimeout, .overlayTimeout),
    (18, SKError.ineligibleForOffer, .ineligibleForOffer),
    (19, SKError.unsupportedPlatform, .unsupportedPlatform),
    (20, SKError.overlayPresentedInBackgroundScene, .overlayPresentedInBackgroundScene),
    (
        21, SKError.paymentMethodBindingConfigurationRequired,
        .paymentMethodBindingConfigurationRequired
    ),
]

/// What an app makes of the state and the error of a transaction.
private func outcome(_ state: SKPaymentTransactionState, _ error: (any Error)?) -> String {
    switch (state, error) {
    case (.failed, SKError.paymentCancelled?): return "cancelled"
    case (.failed, SKError.paymentNotAllowed?): return "not allowed"
    case (.failed, let error as SKError): return "code \(error.code.rawValue)"
    case (.failed, let error as URLError): return "network \(error.code.rawValue)"
    case (.failed, _): return "failed"
    default: return "fine"
    }
}

@Suite struct ErrorCodes {
    @Test func `every code has Apple's number, as static member too`() {
        for (number, member, code) in codes {
            #expect(member == code && code.rawValue == number)
            #expect(SKError.Code(rawValue: number) == code)
            #expect((SKError(code) as NSError).code == number)
        }
        #expect(codes.count == 22)
    }

    @Test func `an error carries what it was made with`() {
        let cause = URLError(.notConnectedToInternet)
        let error = SKError(
            .unknown,
            userInfo: [
                NSLocalizedDescriptionKey: "Cannot connect to iTunes Store",
                NSUnderlyingErrorKey: cause,
            ])
        #expect(error.localizedDescription == "Cannot connect to iTunes Store")
        #expect((error as any Error).localizedDescription == "Cannot connect to iTunes Store")
        #expect(error.userInfo[NSUnderlyingErrorKey] as? URLError == cause)
        #expect(error.errorUserInfo.count == 2 && error.errorCode == 0)
        #expect(SKError.errorDomain == SKErrorDomain && SKErrorDomain == "SKErrorDomain")
        #expect(error == error && Set([error, error]).count == 1)
        #expect(error != SKError(.unknown))
    }

    @Test func `it goes to NSError and back`() {
        let plain = NSError(domain: SKErrorDomain, code: 5, userInfo: ["key": 1])
        let error = SKError(_nsError: plain)
        #expect(error.code == .storeProductNotAvailable && error._nsError === plain)
        #expect((error as NSError) === plain)
        // Written without `as?` where the value is an `any Error`: that always succeeds.
        let back = (error as any Error) as NSError
        #expect(back.domain == SKErrorDomain && back.code == 5 && back.userInfo["key"] as? Int == 1)
        #expect((plain as? SKError)?.code == .storeProductNotAvailable)
        #expect((NSError(domain: NSURLErrorDomain, code: 5) as? SKError) == nil)
        #expect(SKError._unconditionallyBridgeFromObjectiveC(nil).code == .unknown)
        let cocoa: any Error = CocoaError(.fileNoSuchFile)
        #expect(cocoa as? SKError == nil)
    }

    @Test func `it is found by patterns`() {
        #expect(outcome(.failed, SKError(.paymentCancelled)) == "cancelled")
        #expect(outcome(.failed, NSError(domain: SKErrorDomain, code: 4)) == "not allowed")
        #expect(outcome(.failed, SKError(.invalidSignature)) == "code 12")
        #expect(outcome(.failed, URLError(.timedOut)) == "network -1001")
        #expect(outcome(.failed, nil) == "failed")
        #expect(outcome(.purchased, nil) == "fine")
        if case SKError.paymentInvalid = SKError(.paymentInvalid) as any Error {
        } else {
            Issue.record("an if-case does not find the code")
        }
    }

    @Test func `it is caught by type, by code and by condition`() {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch SKError.paymentCancelled, SKError.paymentNotAllowed {
                return "not bought"
            } catch let error as SKError where error.code == .clientInvalid {
                return "invalid"
            } catch let error as SKError {
                return "\(error.code.rawValue)"
            } catch {
                return "other"
            }
        }
        #expect(caught(SKError(.paymentNotAllowed)) == "not bought")
        #expect(caught(SKError(.clientInvalid)) == "invalid")
        #expect(caught(NSError(domain: SKErrorDomain, code: 9)) == "9")
        #expect(caught(URLError(.timedOut)) == "other")
    }
}
