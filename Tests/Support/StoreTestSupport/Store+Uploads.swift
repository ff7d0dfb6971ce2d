import Foundation
import StoreCore
import StoreModel
import StoreServer

extension Store {
    /// Where a folder has the package of an upload.
    package func uploadedFile(of id: UploadID) -> URL {
        directory.appendingPathComponent("uploads/\(id.text)/content.pkg")
    }
}
