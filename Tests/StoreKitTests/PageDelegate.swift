import Foundation
@testable import StoreKit

/// A delegate that counts, and lets a test wait.
@MainActor final class PageDelegate: NSObject, SKStoreProductViewControllerDelegate {
    private let events: AsyncStream<SKStoreProductViewController>
    private let continuation: AsyncStream<SKStoreProductViewController>.Continuation
    private(set) var count = 0

    nonisolated override init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func finished() async -> SKStoreProductViewController? {
        for await event in events { return event }
        return nil
    }

    func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
        count += 1
        continuation.yield(viewController)
    }
}
