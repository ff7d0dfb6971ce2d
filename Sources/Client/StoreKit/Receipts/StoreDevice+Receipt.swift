import StoreWire

extension StoreDevice {
    /// Brings the receipt on this device up to date: after a purchase, a finished or restored
    /// transaction, or a revocation.
    ///
    /// Asks the customer nothing: where nobody is signed in, the receipt stays as it is.
    ///
    /// - Throws: what the store refused, `URLError`, `SecurityError` for a receipt that is
    ///   not from the profile's store or not for this app and device, or an error of the
    ///   file system. The old receipt is in place then.
    package func refreshReceipt() async throws {
        guard let session = sessions.session else { return }
        try await receiptFile.refresh(nil) { try await client.receipt($0, session: session) }
    }

    /// The same on the app's demand, which may ask the customer to sign in.
    func refreshReceipt(_ properties: ReceiptProperties?) async throws {
        try await receiptFile.refresh(properties) { request in
            try await withSession { try await client.receipt(request, session: $0) }
        }
    }
}
