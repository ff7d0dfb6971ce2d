import StoreModel

/// Answer of `GET /device/v1/apps?name=`: one app that is called so, or several that a search has
/// found.
package struct AppsAnswer: Codable, Sendable, Hashable {
    package var apps: [AppAnswer]

    package init(apps: [AppAnswer]) {
        self.apps = apps
    }
}

/// An app as a customer gets it.
package struct AppAnswer: Codable, Sendable, Hashable {
    package var number: Int64
    package var bundleId: String
    package var name: String
    package var publisher: String
    /// The address of its page.
    package var page: String
    /// In thousandths.
    package var price: Int64
    package var currency: String
    package var displayPrice: String
    package var isOwned: Bool
    /// Why it can't be bought now; `nil` if it can.
    package var obstacle: String?
    /// The path of a picture of it; `nil` if there is none.
    package var artwork: String?
    /// What would be delivered; `nil` if nothing can be.
    package var build: AppBuildAnswer?

    package init(
        number: Int64, bundleId: String, name: String, publisher: String, page: String,
        price: Int64, currency: String, displayPrice: String, isOwned: Bool, obstacle: String?,
        artwork: String?, build: AppBuildAnswer?
    ) {
        self.number = number
        self.bundleId = bundleId
        self.name = name
        self.publisher = publisher
        self.page = page
        self.price = price
        self.currency = currency
        self.displayPrice = displayPrice
        self.isOwned = isOwned
        self.obstacle = obstacle
        self.artwork = artwork
        self.build = build
    }
}

/// The build of the version on sale.
package struct AppBuildAnswer: Codable, Sendable, Hashable {
    package var version: ContentVersion
    package var build: ContentVersion
    package var format: AppPackageFormat
    /// The file as it was uploaded.
    package var fileName: String
    package var fileSize: Int64
    package var fileDigest: ContentDigest
    /// Bytes that a device fetches which has none of it.
    package var downloadLength: Int64
    package var unpackedLength: Int64
    /// Milliseconds since 1970.
    package var releaseDate: Int64
    package var whatsNew: String

    package init(
        version: ContentVersion, build: ContentVersion, format: AppPackageFormat,
        fileName: String, fileSize: Int64, fileDigest: ContentDigest, downloadLength: Int64,
        unpackedLength: Int64, releaseDate: Int64, whatsNew: String
    ) {
        self.version = version
        self.build = build
        self.format = format
        self.fileName = fileName
        self.fileSize = fileSize
        self.fileDigest = fileDigest
        self.downloadLength = downloadLength
        self.unpackedLength = unpackedLength
        self.releaseDate = releaseDate
        self.whatsNew = whatsNew
    }
}

/// Body of `POST /device/v1/apps/{number}/purchase`: the price that the customer has agreed to.
package struct AppPurchaseRequest: Codable, Sendable, Hashable {
    /// In thousandths.
    package var price: Int64
    package var currency: String

    package init(price: Int64, currency: String) {
        self.price = price
        self.currency = currency
    }
}

/// Answer of `POST /device/v1/apps/{number}/delivery`.
package struct AppDeliveryAnswer: Codable, Sendable, Hashable {
    /// A signed `AppDeliveryPayload`: what to expect.
    package var signedDelivery: String
    /// What to send with each request for the bytes.
    package var grant: String
    /// The provisioning profile of the app, which lies beside the program.
    package var profile: String

    package init(signedDelivery: String, grant: String, profile: String) {
        self.signedDelivery = signedDelivery
        self.grant = grant
        self.profile = profile
    }
}
