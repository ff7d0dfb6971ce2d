import StoreCore
import StoreHTTP
import StoreWire

/// Every route of the publisher's interface with what a key must allow for it.
///
/// This is the only list: the router is made from it, and a test walks it.
package enum ConnectRouteTable {
    package struct Row: Sendable, Hashable {
        package let method: HTTPMethod
        package let pattern: String
        package let permission: ConnectPermission
        package let operation: ConnectOperation
    }

    package static let rows: [Row] = [
        Row(
            method: .post, pattern: UploadRoute.uploads, permission: .uploadContent,
            operation: .beginUpload),
        Row(
            method: .get, pattern: UploadRoute.uploads, permission: .uploadContent,
            operation: .listUploads),
        Row(
            method: .get, pattern: UploadRoute.upload("{id}"), permission: .uploadContent,
            operation: .showUpload),
        Row(
            method: .patch, pattern: UploadRoute.upload("{id}"), permission: .uploadContent,
            operation: .commitUpload),
        Row(
            method: .delete, pattern: UploadRoute.upload("{id}"), permission: .uploadContent,
            operation: .deleteUpload),
        Row(
            method: .put, pattern: "\(UploadRoute.uploads)/{id}/parts/{number}",
            permission: .uploadContent, operation: .sendPart),
    ]
}

/// What a route does.
package enum ConnectOperation: String, Sendable, Hashable, CaseIterable {
    case beginUpload
    case listUploads
    case showUpload
    case commitUpload
    case deleteUpload
    case sendPart
}
