import Foundation
@testable import StoreKit
import Testing

struct RequestDelegates {
    /// In a process of its own, which ends where a delegate is read while it is half written.
    @Test func `a delegate may be set on one thread while another reads it`() async {
        await #expect(processExitsWith: .success) {
            let request = SendableRequest(value: SKProductsRequest(productIdentifiers: []))
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for _ in 0..<100_000 {
                    let delegate: any SKProductsRequestDelegate =
                        thread == 0 ? PlainDelegate() : CountingDelegate()
                    request.value.delegate = delegate
                    request.value.delegate?.requestDidFinish(request.value)
                }
            }
        }
    }
}

private final class PlainDelegate: NSObject, SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}
}

/// Another class, whose methods are others.
private final class CountingDelegate: NSObject, SKProductsRequestDelegate {
    private let numbers = [1, 2, 3]

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {}

    func requestDidFinish(_ request: SKRequest) { precondition(numbers.count == 3) }
}
