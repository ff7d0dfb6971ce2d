import Foundation
import StoreCore
import StoreDelivery
import StoreModel

/// Reads the files of versions out of the manifests that lie in a content store.
struct StoredManifests: ContentManifests {
    let content: any ContentStore

    func files(of manifest: ContentDigest) async throws -> [ContentFile]? {
        let content = content
        guard let open = try await content.apart({ try content.open(manifest) }) else {
            return nil
        }
        let handle = FileHandle(fileDescriptor: open.descriptor, closeOnDealloc: true)
        let outline = try DeliveryOutline(encoded: try handle.readToEnd() ?? Data())
        return try outline.entries().compactMap { entry in
            switch entry.kind {
            case .file(let length, let digest, _):
                ContentFile(path: entry.path.text, length: length, fingerprint: digest.text)
            case .link(let target):
                ContentFile(path: entry.path.text, length: 0, fingerprint: "→ \(target)")
            case .directory: nil
            }
        }
    }
}
