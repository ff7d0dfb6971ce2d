import StoreHTTP
import StoreModel
import StoreWire

extension ResourceType {
    /// Uploads of content and of builds' files, as the description shows them.
    fileprivate static let uploads = ResourceType(
        UploadRoute.type, at: "/openstore/v1/contentUploads", reading: .uploadContent,
        shape: ResourceShape([
            "bundleId": .text(1...255), "productId": .optional(.text(1...255)),
            "buildId": .optional(.text(36...36)), "fileName": .text(1...255),
            "fileSize": .integer(1...(1 << 53)), "sha256": .text(64...64),
            "partSize": .integer(1...(1 << 53)), "partCount": .integer(1...(1 << 53)),
            "missingParts": .list(
                .object(["first": .integer(0...(1 << 53)), "last": .integer(0...(1 << 53))])),
            "receivedBytes": .integer(0...(1 << 53)), "state": .text(1...40),
            "processedBytes": .integer(0...(1 << 53)), "version": .optional(.text(1...40)),
            "productState": .optional(.text(1...40)),
            "problems": .list(
                .object([
                    "path": .text(0...4000), "rule": .text(0...4000), "advice": .text(0...4000),
                ])),
            "expirationDate": .optional(.integer(0...(1 << 53))), "uploaded": .flag,
        ]))
}

extension OwnDescription {
    /// - Parameter path: behind that of all uploads.
    static func upload(_ method: HTTPMethod, _ path: String) -> OwnDescription {
        switch (method, path) {
        case (.post, _):
            var made = creation(
                of: .uploads,
                required: ["bundleId", "fileName", "fileSize", "sha256"],
                optional: ["productId", "buildId"])
            // An upload that was begun before is found again.
            made.answers[200] = made.answers[201]
            return made
        case (.get, ""):
            var listed = list(
                of: .uploads,
                filters: [
                    "app": .text(1...255), "product": .text(1...255), "build": .text(36...36),
                ], sorts: [])
            listed.parameters = listed.parameters.filter { $0.key.hasPrefix(scalars: "filter") }
            return listed
        case (.get, _):
            var shown = one(of: .uploads)
            shown.parameters = [:]
            return shown
        case (.patch, _): return change(of: .uploads, ["uploaded"])
        case (.put, _):
            return OwnDescription(
                body: ["type": "string", "format": "binary"],
                bodyType: "application/octet-stream", answers: [204: .some(nil)])
        default: return deletion(of: .uploads)
        }
    }
}
