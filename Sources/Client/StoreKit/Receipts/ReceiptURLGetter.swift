import CStoreReceiptURL

extension Bundle {
    /// What `Bundle.main.appStoreReceiptURL` gives once `CStoreReceiptURL` has put this getter
    /// in the place of Foundation's: it has the same type, so it is called in the same way.
    /// The C source names it, which is why its symbol has a name of its own.
    package var openStoreKitReceiptURL: URL? {
        @_silgen_name("openstorekit_bundle_receipt_url")
        get { self === Bundle.main ? OpenStore.receiptURL : nil }
    }
}

/// Whether this process gives the receipt's URL as `Bundle.main.appStoreReceiptURL`.
package var bundleKnowsReceiptURL: Bool { cstore_receipt_url_is_installed() != 0 }
