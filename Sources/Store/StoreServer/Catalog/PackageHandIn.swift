import Foundation
import StoreAPI
import StoreCore
import StoreModel

extension Store {
    /// Takes in a package of a product's content as the portal does, and processes it at once.
    ///
    /// - Throws: `ConnectRefusal`, also with what is wrong with the package.
    package func handIn(
        package file: URL, for product: ProductNumber, by actor: ConnectActor
    ) async throws {
        try await handIn(file, for: .product(product), by: actor)
    }

    /// Takes in the file of a version's next build as the portal does, and processes it at once.
    ///
    /// - Throws: `ConnectRefusal`, also with what is wrong with the file.
    package func handIn(
        build file: URL, of version: AppVersionID, by actor: ConnectActor
    ) async throws {
        try await handIn(file, for: .version(version), by: actor)
    }

    private func handIn(
        _ file: URL, for target: PackageTarget, by actor: ConnectActor
    ) async throws {
        let packages = BrowserPackages(services)
        let begun = try await packages.takeWhole(
            try Data(contentsOf: file), fileName: file.lastPathComponent, for: target, by: actor)
        try await ContentProcessor(store: self).processWaiting()
        let status = try await packages.status(begun.upload.id, for: target, by: actor)
        guard status.upload.state == .complete else {
            throw ConnectRefusal(
                .invalid, rule: "package", field: "package",
                status.problems.first?.advice ?? "The package could not be processed.",
                help: "Correct it and upload it again.")
        }
    }
}
