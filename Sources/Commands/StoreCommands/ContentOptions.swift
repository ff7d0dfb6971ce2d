import Foundation
import StoreContent
import StoreServer

/// Where a command finds the store's content.
enum ContentOptions {
    static let options: [CommandSpec.Option] = [
        .value(
            "content", "s3://BUCKET/PREFIX",
            "Keep content, uploads and pictures in an object store, as "
                + "Documentation/Operators/ObjectStorage.md says; "
                + "$OPENSTORE_CONTENT, or the folder of the store, unless given. Its key is in "
                + "$AWS_ACCESS_KEY_ID, $AWS_SECRET_ACCESS_KEY and $AWS_SESSION_TOKEN."
        ).asSetting.asShared,
        .value(
            "content-key", "FILE",
            "A file with the key, such as ~/.aws/credentials; $OPENSTORE_CONTENT_KEY unless "
                + "given."
        ).asSetting.asShared,
    ]

    /// The bucket that is named; nil where none is.
    ///
    /// - Throws: `UsageError`, `ObjectStoreError`.
    static func storage(_ arguments: ParsedArguments) throws -> ObjectStorage? {
        let environment = ProcessInfo.processInfo.environment
        guard let text = arguments.setting("content"), !text.isEmpty else { return nil }
        let location: ObjectLocation
        do {
            location = try ObjectLocation(text)
        } catch {
            throw UsageError(option: "content", "\(error)")
        }
        let file = arguments.setting("content-key")
        let credentials =
            try file.map { try ObjectCredentials(file: ParsedArguments.url($0)) }
            ?? ObjectCredentials(environment: environment)
        return ObjectStorage(
            client: ObjectClient(location, credentials: credentials),
            makeDigest: { ContentDigestStream() })
    }
}
