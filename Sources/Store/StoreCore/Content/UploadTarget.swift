import Foundation
import StoreModel

/// What an upload is for, as it is inside one transaction.
enum UploadTarget {
    case product(HostedProduct)
    case build(BuildInProgress)

    /// - Parameters:
    ///   - team: whose app it must be; `nil` for any.
    ///   - includesDeleted: whether a product may be one that its publisher deleted.
    /// - Throws: `ContentRefusal` where the store has no such app, product or build.
    init(
        _ subject: UploadSubject, of bundleID: BundleID, team: Int64? = nil,
        includesDeleted: Bool = false, _ work: UnitOfWork
    ) throws {
        switch subject {
        case .product(let id):
            self = .product(
                try HostedProduct(
                    id, of: bundleID, team: team, includesDeleted: includesDeleted, work))
        case .build(let id):
            self = .build(try BuildInProgress(id, of: bundleID, team: team, work))
        }
    }

    var app: App {
        switch self {
        case .product(let hosted): hosted.app
        case .build(let reception): reception.app
        }
    }

    /// Whether what was taken before does not count any longer: content that the product gave up
    /// with its hosting does not come back, and a build's file that was given up is sent again.
    var gaveUpWhatCame: Bool {
        switch self {
        case .product(let hosted): hosted.product.details.state == .waitingForUpload
        case .build(let reception): reception.build.file == nil
        }
    }

    /// - Throws: `ContentRefusal` where nothing may be sent now.
    func checkBeginning(_ draft: UploadDraft) throws {
        switch self {
        case .product(let hosted):
            if hosted.product.details.state != .processingContent { try hosted.checkReceiving() }
            if let version = draft.version {
                try HostingRules.checkSuccession(
                    of: version, to: hosted.product.releases,
                    of: hosted.product.details.productID)
            }
        case .build(let reception):
            try reception.checkReceiving(size: draft.size, digest: draft.digest)
        }
    }

    /// The file is there, and is processed from now on.
    ///
    /// - Parameter besideAnother: whether another one is being processed.
    /// - Returns: the state that a product had.
    /// - Throws: `ContentRefusal`.
    mutating func receive(_ upload: PackageUpload, besideAnother: Bool) throws -> ProductState? {
        switch self {
        case .product(var hosted):
            let earlier = hosted.product.details.state
            guard !besideAnother else {
                throw ContentRefusal.wrongState(
                    hosted.product.details.productID, .processingContent, .receive)
            }
            try hosted.receive()
            self = .product(hosted)
            return earlier
        case .build(let reception):
            // Another upload of a build is another of the same file: the schema keeps it out.
            try reception.checkReceiving(size: upload.parts.size, digest: upload.digest)
            return nil
        }
    }
}
