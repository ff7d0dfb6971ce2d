import Foundation
import StoreSecurity
import StoreMetadata
import StoreWire

/// The files beside a metadata file that its products name.
struct ProductFiles: Sendable {
    /// What became of them.
    struct Report: Sendable {
        /// The products whose screenshots were sent.
        var uploaded: [String] = []
        /// What was left where it is, and why.
        var notTaken: [String] = []
    }

    private let metadata: ProductMetadataFile
    private let app: AppOnStore
    private let api: ConnectAPI

    init(_ metadata: ProductMetadataFile, app: AppOnStore, _ api: ConnectAPI) {
        self.metadata = metadata
        self.app = app
        self.api = api
    }

    /// Sends the screenshots that the store doesn't have, one after the other.
    ///
    /// - Parameter isRehearsal: only finds out which ones they are.
    func uploadScreenshots(isRehearsal: Bool) async throws -> Report {
        var report = Report()
        for (productID, file) in metadata.screenshots {
            switch read(file) {
            case .failure(let problem): report.notTaken.append("\(file.name): \(problem.text)")
            case .success(let bytes):
                if try await upload(bytes, file, of: productID, isRehearsal: isRehearsal) {
                    report.uploaded.append(productID)
                }
            }
        }
        for (productID, file) in metadata.packages {
            report.notTaken.append(
                "\(file.name): send it with openstore content upload --product \(productID)")
        }
        return report
    }

    private struct Problem: Error {
        let text: String
    }

    /// The bytes of a file, where they are those that the metadata tell of.
    private func read(_ file: MetadataAttachment) -> Result<Data, Problem> {
        let url = metadata.url.deletingLastPathComponent().appendingPathComponent(file.name)
        guard let bytes = try? Data(contentsOf: url, options: .alwaysMapped) else {
            return .failure(Problem(text: "it does not lie beside the metadata"))
        }
        guard Int64(bytes.count) == file.size, MD5Checksum.hex(bytes) == file.md5 else {
            return .failure(Problem(text: "size or checksum are not those in the metadata"))
        }
        return .success(bytes)
    }

    /// - Returns: false where the store has it.
    private func upload(
        _ bytes: Data, _ file: MetadataAttachment, of productID: String, isRehearsal: Bool
    ) async throws -> Bool {
        let document = try await api.send(
            "GET", "/v1/apps/\(app.id)/inAppPurchasesV2",
            ["filter[productId]": productID, "include": "appStoreReviewScreenshot"])
        let known = document["included"]?.elements?.first?.attribute("sourceFileChecksum")
        guard known?.lowercased() != file.md5 else { return false }
        guard !isRehearsal else { return true }
        guard let product = document["data"]?.elements?.first else {
            throw CommandFailure(
                description: "the store has no product \(productID)", exitCode: .notFound)
        }
        try await send(bytes, file, of: product.id)
        return true
    }

    private static let pictures = "inAppPurchaseAppStoreReviewScreenshots"

    private func send(_ bytes: Data, _ file: MetadataAttachment, of id: String) async throws {
        let path = "/v1/\(Self.pictures)"
        let picture = try await api.create(
            Self.pictures, at: path,
            ["fileName": .string(file.name), "fileSize": .integer(bytes.count)],
            relationships: ["inAppPurchaseV2": (type: "inAppPurchases", id: id)])
        for part in try picture.uploadRanges(of: file.name, count: bytes.count) {
            _ = try await api.data(
                "PUT", "/openstore/v1/productAssets/\(picture.id)/parts/\(part.lowerBound)", [:],
                Data(bytes.dropFirst(part.lowerBound).prefix(part.count)),
                type: "application/octet-stream")
        }
        _ = try await api.update(
            Self.pictures, at: "\(path)/\(picture.id)",
            ["uploaded": true, "sourceFileChecksum": .string(file.md5)])
    }
}
