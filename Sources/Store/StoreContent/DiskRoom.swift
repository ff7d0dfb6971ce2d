import Foundation
import StoreCore
import StoreKernel

/// What a disk has to have free before the store writes the bytes that somebody sends.
///
/// A database that can't write sells nothing, so uploads stop before the disk is full.
package struct DiskRoom: Sendable {
    /// Bytes that stay free.
    private let reserve: Int64
    private let free: @Sendable (URL) -> Int64?

    /// - Parameter free: bytes that are free where a folder is; nil where nobody knows.
    package init(
        reserve: Int64 = UploadRules.store.reserve,
        free: @escaping @Sendable (URL) -> Int64? = DiskSpace.free(at:)
    ) {
        self.reserve = reserve
        self.free = free
    }

    /// Whether some bytes more leave the reserve. Where nobody knows, the disk itself refuses.
    private func takes(_ bytes: Int64, in folder: URL) -> Bool {
        guard let free = self.free(folder) else { return true }
        return free >= reserve && bytes <= free - reserve
    }

    /// - Throws: `UploadStoreError` that says that the disk is full.
    package func require(_ bytes: Int, in folder: URL) throws {
        guard !takes(Int64(bytes), in: folder) else { return }
        throw UploadStoreError(
            description: "\(folder.path): the disk is full but for what stays free",
            isDiskFull: true)
    }

    /// - Throws: `ConnectRefusal` with the rule `diskFull`.
    func check(_ bytes: Int64, in folder: URL) throws {
        guard !takes(bytes, in: folder) else { return }
        throw ConnectRefusal(
            .tooMany, rule: "diskFull", "The store's disk is full.",
            help: "Ask the operator to make space.")
    }
}
