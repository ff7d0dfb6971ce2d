import Foundation
import StoreSecurity
import StoreSheets
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

    private let sheet: ProductSheetFile
    private let app: AppOnStore
    private let session: ConnectSession

    init(_ sheet: ProductSheetFile, app: AppOnStore, session: ConnectSession) {
        self.sheet = sheet
        self.app = app
        self.session = session
    }

    /// Sends the screenshots that the store doesn't have, one after the other.
    ///
    /// - Parameter isRehearsal: only finds out which ones they are.
    func uploadScreenshots(isRehearsal: Bool) async throws -> Report {
        var report = Report()
        for (productID, file) in sheet.screenshots {
            switch read(file) {
            case .failure(let problem): report.notTaken.append("\(file.name): \(problem.text)")
            case .success(let bytes):
                if try await upload(bytes, file, of: productID, isRehearsal: isRehearsal) {
                    report.uploaded.append(productID)
                }
            }
        }
        for (productID, file) in sheet.packages {
            report.notTaken.append(
                "\(file.name): send it with openstore content upload --product \(productID)")
        }
        return report
    }

    private struct Problem: Error {
        let text: String
    }

    /// The bytes of a file, where they are those that the metadata tell of.
    private func read(_ file: SheetFile) -> Result<Data, Problem> {
        let url = sheet.url.deletingLastPathComponent().appendingPathComponent(file.name)
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
        _ bytes: Data, _ file: SheetFile, of productID: String, isRehearsal: Bool
    ) async throws -> Bool {
        let list = try await session.send(
            "GET",
            "/connect/v1/apps/\(app.id)/inAppPurchasesV2?filter%5BproductId%5D=\(productID)"
                + "&include=appStoreReviewScreenshot")
        let document = try JSONValue(reading: list)
        let known = document["included"]?.elements?.first?["attributes"]?["sourceFileChecksum"]
        guard known?.text?.lowercased() != file.md5 else { return false }
        guard !isRehearsal else { return true }
        guard let id = document["data"]?.elements?.first?["id"]?.text else {
            throw ConnectError(description: "The store has no product \(productID).")
        }
        try await send(bytes, file, of: id)
        return true
    }

    private static let pictures = "inAppPurchaseAppStoreReviewScreenshots"

    private func send(_ bytes: Data, _ file: SheetFile, of id: String) async throws {
        let reservation: JSONValue = [
            "data": [
                "type": .string(Self.pictures),
                "attributes": [
                    "fileName": .string(file.name), "fileSize": .integer(bytes.count),
                ],
                "relationships": [
                    "inAppPurchaseV2": ["data": ["type": "inAppPurchases", "id": .string(id)]]
                ],
            ]
        ]
        let path = "/connect/v1/\(Self.pictures)"
        let made = try JSONValue(
            reading: try await session.send(
                "POST", path, reservation.encoded(), headers: ["Content-Type": "application/json"])
        )["data"]
        guard let picture = made?["id"]?.text,
            let parts = made?["attributes"]?["uploadOperations"]?.elements
        else { throw ConnectError(description: "The store takes no screenshot of \(file.name).") }
        for part in parts {
            guard let offset = part["offset"]?.integer, let length = part["length"]?.integer,
                offset >= 0, length > 0, offset + length <= bytes.count
            else { throw ConnectError(description: "The store asks for parts that there aren't.") }
            _ = try await session.send(
                "PUT", "/connect/openstore/v1/productAssets/\(picture)/parts/\(offset)",
                Data(bytes[(bytes.startIndex + offset)..<(bytes.startIndex + offset + length)]))
        }
        let commitment: JSONValue = [
            "data": [
                "type": .string(Self.pictures), "id": .string(picture),
                "attributes": ["uploaded": true, "sourceFileChecksum": .string(file.md5)],
            ]
        ]
        _ = try await session.send(
            "PATCH", "\(path)/\(picture)", commitment.encoded(),
            headers: ["Content-Type": "application/json"])
    }
}
