import Foundation
import StoreCore
import StoreDelivery
import StoreModel

extension ContentStore {
    /// The files of a version's manifest, in any order; nil where its bytes were given up.
    func files(of manifest: ContentDigest) async throws -> [ContentFile]? {
        guard let open = try await apart({ try self.open(manifest) }) else {
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
