import Foundation
import StoreSecurity
import StoreWire

/// `openstore product screenshot`
enum ProductScreenshot: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "screenshot"], summary: "Send reviewers a picture of where the app offers it.",
        arguments: [
            .product, .init(name: "FILE", help: "A PNG or JPEG picture."),
        ],
        options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let file = ParsedArguments.url(connect.arguments.argument(1))
        guard let bytes = try? Data(contentsOf: file) else {
            throw UsageError(description: "\(file.path) can't be read")
        }
        let product = try await connect.product()
        let type = product.screenshots
        let reserved = try await connect.api.create(
            type, at: "/v1/\(type)",
            [
                "fileName": .string(file.lastPathComponent), "fileSize": .integer(bytes.count),
            ], relationships: [product.ownerField: (product.type, product.number)])
        for part in try reserved.uploadRanges(of: file.lastPathComponent, count: bytes.count) {
            _ = try await connect.api.data(
                "PUT", "/openstore/v1/productAssets/\(reserved.id)/parts/\(part.lowerBound)", [:],
                bytes.subdata(in: part), type: "application/octet-stream")
        }
        let taken = try await connect.api.update(
            type, at: "/v1/\(type)/\(reserved.id)",
            ["uploaded": true, "sourceFileChecksum": .string(MD5Checksum.hex(bytes))])
        let state = taken["attributes"]?["assetDeliveryState"]
        guard state?["state"]?.text == "COMPLETE" else {
            let problem = state?["errors"]?.elements?.first?["description"]?.text ?? ""
            throw CommandFailure(
                description: "the picture was refused. \(problem)", exitCode: .refused)
        }
        connect.show.done(taken, "\(file.lastPathComponent) is what reviewers will see.")
    }
}
