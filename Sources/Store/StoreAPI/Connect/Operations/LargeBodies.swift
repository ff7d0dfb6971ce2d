import StoreCore
import StoreModel

extension ConnectOperation {
    /// The largest body that the API takes at a path by `POST` and puts on disk while it comes
    /// in, bytes; nil for paths whose bodies are documents.
    package static func largestBody(_ path: String) -> Int? {
        let own = "\(ConnectRouteTable.prefix)/openstore/v1/"
        if path.hasPrefix(scalars: own + "apps/"), path.hasSuffix(scalars: "/productImports") {
            return 64 << 20
        }
        if path.hasPrefix(scalars: own + "items/"), path.hasSuffix(scalars: "/media") {
            return mediaLimit
        }
        return nil
    }

    private static let mediaLimit: Int = Int(
        ItemMedia.Kind.allCases.map { ItemMediaRules.sizeLimit(of: $0) }.max() ?? 0)
}
