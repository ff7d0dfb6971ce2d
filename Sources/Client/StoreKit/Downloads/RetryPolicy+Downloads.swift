import FoundationNetworking
import StoreDelivery
import StoreWire

extension RetryPolicy {
    /// Does a part of a download, again where that can help: a few times, counted anew after each
    /// progress.
    package func trying<Outcome>(
        progress: () -> Int64 = { 0 }, log: (String) -> Void,
        isFinal: (any Error) -> Bool = Self.isFinal, _ body: () async throws -> Outcome
    ) async throws -> Outcome {
        var failures = 0
        var last = progress()
        while true {
            try Task.checkCancellation()
            do {
                return try await body()
            } catch let error where !isFinal(error) && !Task.isCancelled {
                let now = progress()
                if now != last { failures = 0 }
                last = now
                failures += 1
                guard failures < attempts else { throw error }
                log("A download was interrupted and goes on: \(error)")
                try await sleep(delay(after: failures - 1))
            }
        }
    }

    /// Whether trying again can't help.
    package static func isFinal(_ error: any Error) -> Bool {
        switch error {
        case let error as WireError:
            switch error.code {
            case .storeUnavailable, .internalError, .grantExpired, .notSignedIn: false
            default: true
            }
        case let error as URLError:
            error.code == .cancelled
        case DeliveryError.damaged: false
        default: true
        }
    }
}
