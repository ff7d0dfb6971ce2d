/// Hears when the customer is done with a page of the store.
public protocol SKStoreProductViewControllerDelegate: NSObjectProtocol {
    /// The customer is done with the page.
    @MainActor func productViewControllerDidFinish(_ viewController: SKStoreProductViewController)
}

// Apple's optional method.
extension SKStoreProductViewControllerDelegate {
    /// Does nothing, for delegates that don't want to know.
    @MainActor public func productViewControllerDidFinish(
        _ viewController: SKStoreProductViewController
    ) {}
}

/// Shows an app or another item of the store.
///
/// Apple's is a view controller; there is no UIKit here, so it is a plain object, and
/// ``openStorePresent()`` takes the place of presenting it:
///
/// ```swift
/// let controller = SKStoreProductViewController()
/// controller.delegate = self
/// let parameters = [SKStoreProductParameterITunesItemIdentifier: 1_234_567_890]
/// if try await controller.loadProduct(withParameters: parameters) {
///     try await controller.openStorePresent()
/// }
/// ```
@MainActor open class SKStoreProductViewController: NSObject {
    /// Hears when the customer is done. Not retained.
    open weak var delegate: (any SKStoreProductViewControllerDelegate)?

    private nonisolated let device: @Sendable () throws -> StoreDevice
    /// The page of the item that was loaded last.
    private var page: OpenStorePage?
    /// Counts what was asked for: only the newest answer counts.
    private var run = 0

    /// A controller without an item.
    public nonisolated override init() {
        device = { try StoreDevice.current() }
    }

    nonisolated package init(device: StoreDevice) {
        self.device = { device }
    }

    /// Asks the store for the page of an item.
    ///
    /// - Parameters:
    ///   - parameters: needs ``SKStoreProductParameterITunesItemIdentifier``; other keys have no
    ///     effect.
    ///   - block: gets true and no error, or false and ``SKError/storeProductNotAvailable`` with
    ///     the cause as underlying error. Called on the main thread.
    open func loadProduct(
        withParameters parameters: [String: Any],
        completionBlock block: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        let item = Self.itemIdentifier(in: parameters)
        Task {
            let failure: (any Error)?
            do {
                try await load(item)
                failure = nil
            } catch { failure = error }
            guard let block else { return }
            OpenStoreCallbackExecutor.app.runOnMainActor { block(failure == nil, failure) }
        }
    }

    /// Asks the store for the page of an item.
    ///
    /// - Parameter parameters: needs ``SKStoreProductParameterITunesItemIdentifier``; other keys
    ///   have no effect.
    /// - Returns: true.
    /// - Throws: ``SKError/storeProductNotAvailable`` with the cause as underlying error.
    @discardableResult
    open func loadProduct(withParameters parameters: [String: Any]) async throws -> Bool {
        try await load(Self.itemIdentifier(in: parameters))
        return true
    }

    /// An addition of OpenStoreKit: shows the page that was loaded, by ``OpenStore/sheet``, and
    /// tells the delegate when the customer is done with it.
    ///
    /// - Throws: ``SKError/storeProductNotAvailable`` where no item is loaded; what the sheet
    ///   throws where it can't show pages. The delegate hears nothing then.
    public func openStorePresent() async throws {
        guard let page else {
            throw Self.notAvailable(
                StorePageLookup.problem("No product is loaded; call loadProduct first."))
        }
        do { try await device().sheet.show(page) } catch { throw visibleError(error) }
        OpenStoreCallbackExecutor.app.runOnMainActor { [self] in
            delegate?.productViewControllerDidFinish(self)
        }
    }

    private func load(_ item: Result<Int64, NSError>) async throws {
        run += 1
        let current = run
        page = nil
        do {
            let lookup = StorePageLookup(device: try device())
            let found = try await lookup.page(itemID: try item.get())
            if current == run { page = found }
        } catch { throw Self.notAvailable(error) }
    }

    /// The item's number, as apps write it: a number or digits.
    nonisolated private static func itemIdentifier(
        in parameters: [String: Any]
    ) -> Result<Int64, NSError> {
        let key = SKStoreProductParameterITunesItemIdentifier
        guard let value = parameters[key] else {
            return .failure(
                StorePageLookup.problem(
                    "The parameters lack SKStoreProductParameterITunesItemIdentifier."))
        }
        let number: Int64? =
            switch value {
            case let text as String: Int64(text)
            case let number as NSNumber: Int64(exactly: number.doubleValue)
            default: nil
            }
        guard let number, number > 0 else {
            return .failure(
                StorePageLookup.problem(
                    "\(value) is no item identifier: it has to be a whole number above 0."))
        }
        return .success(number)
    }

    nonisolated private static func notAvailable(_ cause: any Error) -> SKError {
        SKError(
            .storeProductNotAvailable, "Cannot connect to iTunes Store",
            underlying: cause)
    }
}
