import StoreWire

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// Asks the store about products.
    ///
    /// ```swift
    /// let products = try await Product.products(for: ["com.example.chapter1"])
    /// ```
    ///
    /// - Parameter identifiers: product identifiers; duplicates don't matter.
    /// - Returns: the products that the store sells to this app, in no particular order. What it
    ///   does not sell is left out; in the sandbox the log says why.
    /// - Throws: ``StoreKitError``.
    public static func products<Identifiers>(
        for identifiers: Identifiers
    ) async throws -> [Product]
    where Identifiers: Collection, Identifiers.Element == String {
        let wanted = Set(identifiers).sorted()
        guard !wanted.isEmpty else { return [] }
        do {
            let device = try PaymentEngine.current.makeDevice()
            try device.simulatedErrors.check(.loadProducts)
            let answer = try await device.products(wanted)
            device.reportInvalidProducts(in: answer)
            return answer.values { device.logOnce($0) }
        } catch {
            throw storeKitError(error)
        }
    }

    /// Asks the customer, and buys.
    ///
    /// The transaction comes back here and is to be finished; it is in ``Transaction/unfinished``
    /// until then.
    ///
    /// - Parameter options: each kind once at most.
    /// - Returns: the transaction with the result of its verification; `userCancelled`; or
    ///   `pending` if somebody else has to approve it: if they do, it comes through
    ///   ``Transaction/updates``.
    /// - Throws: ``PurchaseError`` or ``StoreKitError``. After a network error the store may have
    ///   sold it: that comes through ``Transaction/updates``, too.
    @MainActor
    public func purchase(
        options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        try await PaymentEngine.current.purchase(self, options: options)
    }

    /// The newest transaction of the product, as ``Transaction/latest(for:)`` has it.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }

    /// What the customer may use of the product; `nil` for nothing.
    @available(*, deprecated, renamed: "currentEntitlements")
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async {
            for await transaction in currentEntitlements { return transaction }
            return nil
        }
    }

    /// What the customer may use of the product.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public var currentEntitlements: Transaction.Transactions {
        Transaction.currentEntitlements(for: id)
    }
}
