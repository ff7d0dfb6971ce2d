import FoundationNetworking

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

/// Shows an app or another item of the store, to look at and to buy.
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

    private var device: @Sendable () throws -> StoreDevice = { try StoreDevice.current() }
    /// The item that was loaded last.
    private var item: OpenStoreItem?
    /// What was asked for last; only its answer counts.
    private var loading: Task<Void, any Error>?
    private var run = 0
    /// What shows the item; nil while nothing does.
    private var presentation: Task<Void, any Error>?
    private var isDismissed = false

    /// A controller without an item.
    public nonisolated override init() {}

    package convenience init(device: StoreDevice) {
        self.init()
        self.device = { device }
    }

    /// Asks the store for an item.
    ///
    /// Ends an inquiry that is still under way: that one fails with `URLError.cancelled` as
    /// underlying error.
    ///
    /// - Parameters:
    ///   - parameters: needs ``SKStoreProductParameterITunesItemIdentifier``. The tokens of an
    ///     affiliate, a campaign and a provider go with what the customer buys.
    ///   - block: gets true and no error, or false and ``SKError/storeProductNotAvailable`` with
    ///     the cause as underlying error. Called on the main thread.
    open func loadProduct(
        withParameters parameters: [String: Any],
        completionBlock block: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        let task = start(Result { try ProductPageParameters(parameters) })
        Task {
            let failure: (any Error)?
            switch await task.result {
            case .success: failure = nil
            case .failure(let error): failure = error
            }
            guard let block else { return }
            OpenStoreCallbackExecutor.app.runOnMainActor { block(failure == nil, failure) }
        }
    }

    /// Asks the store for an item.
    ///
    /// Ends an inquiry that is still under way: that one fails with `URLError.cancelled` as
    /// underlying error.
    ///
    /// - Parameter parameters: needs ``SKStoreProductParameterITunesItemIdentifier``. The tokens
    ///   of an affiliate, a campaign and a provider go with what the customer buys.
    /// - Returns: true.
    /// - Throws: ``SKError/storeProductNotAvailable`` with the cause as underlying error.
    @discardableResult
    open func loadProduct(withParameters parameters: [String: Any]) async throws -> Bool {
        let task = start(Result { try ProductPageParameters(parameters) })
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        return true
    }

    /// An addition of OpenStoreKit: shows the item that was loaded, by ``OpenStore/sheet``, and
    /// tells the delegate when the customer is done with it.
    ///
    /// Returns when the item is no longer shown and the delegate was told. Cancelling the task takes it away, and so does
    /// ``dismiss(animated:completion:)``; the delegate hears nothing then.
    ///
    /// - Throws: ``SKError/storeProductNotAvailable`` where no item is loaded or it is shown
    ///   already; `CancellationError`; what the sheet throws where it can't show items. The
    ///   delegate hears nothing then.
    public func openStorePresent() async throws {
        guard let item else {
            throw SKError(
                unavailableBecause: StorePageLookup.problem(
                    "No product is loaded; call loadProduct first."))
        }
        guard presentation == nil else {
            throw SKError(
                unavailableBecause: StorePageLookup.problem(
                    "The product is shown already; wait until the customer is done with it."))
        }
        let task = Task { try await device().sheet.present(item) }
        presentation = task
        isDismissed = false
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        presentation = nil
        switch result {
        case .success: break
        case .failure(let error as CancellationError):
            guard isDismissed else { throw error }
        case .failure(let error): throw visibleError(error)
        }
        guard !isDismissed else { return }
        // What the caller does next comes after what the delegate does.
        await withCheckedContinuation { continuation in
            OpenStoreCallbackExecutor.app.runOnMainActor { [self] in
                delegate?.productViewControllerDidFinish(self)
                continuation.resume()
            }
        }
    }

    /// Takes the item away, where it is shown. The delegate hears nothing of it.
    ///
    /// The name is UIKit's, so that delegates that dismiss what is done work as they are:
    ///
    /// ```swift
    /// func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
    ///     viewController.dismiss(animated: true)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - flag: of no effect.
    ///   - completion: called on the main thread when nothing is shown any longer.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let shown = presentation
        isDismissed = shown != nil
        shown?.cancel()
        guard let completion else { return }
        Task {
            _ = await shown?.result
            OpenStoreCallbackExecutor.app.runOnMainActor { completion() }
        }
    }

    /// Starts an inquiry in the place of the one before.
    private func start(
        _ wanted: Result<ProductPageParameters, any Error>
    ) -> Task<Void, any Error> {
        loading?.cancel()
        item = nil
        run += 1
        let current = run
        let task = Task {
            do {
                let (wanted, device) = (try wanted.get(), try device())
                wanted.dropped.forEach(device.log)
                let found = try await StorePageLookup(device: device).item(wanted)
                guard current == run, !Task.isCancelled else { throw URLError(.cancelled) }
                item = found
            } catch {
                throw SKError(
                    unavailableBecause: error is CancellationError ? URLError(.cancelled) : error)
            }
        }
        loading = task
        return task
    }
}
