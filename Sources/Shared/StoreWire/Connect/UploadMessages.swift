import StoreModel

/// The paths of uploads, and the header that their parts carry.
package enum UploadRoute {
    /// `POST`: begin an upload, or find the one that was begun. `GET`: those of a product, or of a
    /// build.
    package static let uploads = "/connect/openstore/v1/contentUploads"
    package static let type = "contentUploads"

    /// `GET`: how it stands. `PATCH`: commit it. `DELETE`: give it up.
    package static func upload(_ id: String) -> String { "\(uploads)/\(id)" }

    /// `PUT`: the bytes of a part.
    package static func part(_ number: Int, of id: String) -> String {
        "\(uploads)/\(id)/parts/\(number)"
    }

    /// The SHA-256 of a part's bytes (RFC 9530): `sha-256=:<base64>:`.
    package static let digestHeader = "Content-Digest"
}

/// Numbers of parts, both included.
package struct PartRange: Codable, Sendable, Hashable {
    package var first: Int
    package var last: Int

    package init(first: Int, last: Int) {
        self.first = first
        self.last = last
    }
}

/// What begins an upload.
package struct UploadCreation: Codable, Sendable, Hashable {
    package var bundleId: BundleID
    /// Whose content it is; `nil` for a build's file.
    package var productId: ProductID?
    /// Whose file it is, by its identifier; `nil` for content.
    package var buildId: String?
    package var fileName: String
    package var fileSize: Int64
    /// Of the whole file.
    package var sha256: ContentDigest
    /// Of the content, as the package says: one that can't follow those that there are is refused
    /// before its bytes are sent. `nil` where the sender does not know it.
    package var version: ContentVersion?
    /// Whether nothing is begun: the store only says whether it would be.
    package var validatesOnly: Bool?

    package init(
        bundleId: BundleID, productId: ProductID? = nil, buildId: String? = nil, fileName: String,
        fileSize: Int64, sha256: ContentDigest, version: ContentVersion? = nil,
        validatesOnly: Bool? = nil
    ) {
        self.bundleId = bundleId
        self.productId = productId
        self.buildId = buildId
        self.fileName = fileName
        self.fileSize = fileSize
        self.sha256 = sha256
        self.version = version
        self.validatesOnly = validatesOnly
    }
}

/// What commits an upload.
package struct UploadCommitment: Codable, Sendable, Hashable {
    package var uploaded: Bool

    package init(uploaded: Bool) {
        self.uploaded = uploaded
    }
}

/// How an upload stands.
package struct UploadAttributes: Codable, Sendable, Hashable {
    /// Why a package was refused.
    package struct Problem: Codable, Sendable, Hashable {
        /// Inside the package; empty where it is about the whole.
        package var path: String
        package var rule: String
        package var advice: String

        package init(path: String, rule: String, advice: String) {
            self.path = path
            self.rule = rule
            self.advice = advice
        }
    }

    package var bundleId: BundleID
    /// `nil` for a build's file.
    package var productId: ProductID?
    /// `nil` for content.
    package var buildId: String?
    package var fileName: String
    package var fileSize: Int64
    package var sha256: ContentDigest
    /// Bytes of each part but the last.
    package var partSize: Int64
    package var partCount: Int
    package var missingParts: [PartRange]
    package var receivedBytes: Int64
    /// `AWAITING_UPLOAD`, `UPLOAD_COMPLETE`, `COMPLETE` or `FAILED`.
    package var state: String
    /// Bytes of the file that were processed so far.
    package var processedBytes: Int64
    /// The version that the package became, or the number of the build that has its file.
    package var version: String?
    /// The state of the product, as App Store Connect spells it; `nil` for builds.
    package var productState: String?
    package var problems: [Problem]
    /// When it is given up if nothing happens to it, milliseconds since 1970.
    package var expirationDate: Int64?

    package init(
        bundleId: BundleID, productId: ProductID?, buildId: String? = nil, fileName: String,
        fileSize: Int64, sha256: ContentDigest, partSize: Int64, partCount: Int,
        missingParts: [PartRange], receivedBytes: Int64, state: String, processedBytes: Int64,
        version: String?, productState: String?, problems: [Problem], expirationDate: Int64?
    ) {
        self.bundleId = bundleId
        self.productId = productId
        self.buildId = buildId
        self.fileName = fileName
        self.fileSize = fileSize
        self.sha256 = sha256
        self.partSize = partSize
        self.partCount = partCount
        self.missingParts = missingParts
        self.receivedBytes = receivedBytes
        self.state = state
        self.processedBytes = processedBytes
        self.version = version
        self.productState = productState
        self.problems = problems
        self.expirationDate = expirationDate
    }

    /// Finds out whether the numbers of an answer agree with one another, so that a client can
    /// count with them.
    ///
    /// - Throws: `WireFormatError` that says which can't be.
    package func check() throws {
        guard fileSize > 0, (Self.smallestPart...Self.largestPart).contains(partSize),
            Int64(partCount) == (fileSize - 1) / partSize + 1
        else {
            throw WireFormatError(
                "a file of \(fileSize) bytes does not have \(partCount) parts of \(partSize)")
        }
        guard (0...fileSize).contains(receivedBytes), (0...fileSize).contains(processedBytes) else {
            throw WireFormatError("the file does not have as many bytes as were taken")
        }
        var next = 0
        for range in missingParts {
            guard range.first >= next, range.last >= range.first, range.last < partCount else {
                throw WireFormatError(
                    "the missing parts \(range.first) to \(range.last) can't be: they overlap "
                        + "others, or the file does not have them")
            }
            next = range.last + 1
        }
    }

    private static let smallestPart: Int64 = 1 << 10
    private static let largestPart: Int64 = 64 << 20
}
