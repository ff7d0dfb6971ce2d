import Foundation
import StoreModel
import StoreWire

/// Finds and reads a StoreKit configuration.
struct ConfigurationFile {
    private static let suffix = "storekit"

    let data: Data

    /// - Throws: `SKTestError.invalidURL` or `SKTestError.fileNotFound`.
    init(contentsOf url: URL) throws {
        guard url.isFileURL, url.pathExtension == Self.suffix else {
            throw SKTestError(
                .invalidURL,
                "\(url.isFileURL ? url.path : url.absoluteString) is not the URL of a file that ends "
                    + "in .storekit.")
        }
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw SKTestError(.fileNotFound, "There is no file \(url.path).")
        }
        do {
            data = try Data(contentsOf: url)
            _ = try StoreKitConfiguration(data: data)
        } catch let error as StoreKitConfigurationError {
            throw SKTestError(
                .invalidURL, "\(url.path) is no StoreKit configuration: \(error.description)")
        } catch {
            throw SKTestError(
                .fileNotFound, "\(url.path) can't be read: \(error.localizedDescription)")
        }
    }

    /// Where a file lies.
    ///
    /// - Parameter name: without its ending, or with it.
    /// - Throws: `SKTestError.fileNotFound`, also where bundles have files of that name that differ.
    static func url(named name: String) throws -> URL {
        let file = name.hasSuffix(scalars: "." + suffix) ? name : name + "." + suffix
        func files(in folders: [URL]) -> [URL] {
            folders.map { $0.appendingPathComponent(file) }
                .filter { FileManager.default.fileExists(atPath: $0.path) }
        }
        let (folders, bundles) = places()
        if let found = files(in: folders).first { return found }
        let others = files(in: bundles)
        guard let found = others.first else {
            throw SKTestError(
                .fileNotFound,
                "There is no \(file) in the main bundle, nor in a resource bundle beside the "
                    + "executable. List it in the resources of the test's target: "
                    + "resources: [.process(\"\(file)\")].")
        }
        let differing = others.filter {
            !FileManager.default.contentsEqual(atPath: $0.path, andPath: found.path)
        }
        guard differing.isEmpty else {
            throw SKTestError(
                .fileNotFound,
                "Several bundles have a \(file), and they differ: "
                    + ([found] + differing).map(\.path).joined(separator: ", ")
                    + ". Say which one with SKTestSession(contentsOf:).")
        }
        return found
    }

    /// Where it may lie: in the main bundle's resources, and in the resource bundles that SwiftPM puts
    /// beside the executable, of each target one.
    private static func places() -> (folders: [URL], bundles: [URL]) {
        let main = Bundle.main
        let folders = [main.executableURL?.deletingLastPathComponent(), main.bundleURL]
            .compactMap { $0 }
        let bundles = folders.flatMap { folder -> [URL] in
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter {
                $0.hasSuffix(scalars: ".resources") || $0.hasSuffix(scalars: ".bundle")
            }.sorted().map { folder.appendingPathComponent($0) }
        }
        return ([main.resourceURL].compactMap { $0 } + folders, bundles)
    }
}
