import StoreKernel

/// The form of the file in which an app is uploaded and handed out.
package enum AppPackageFormat: String, Codable, Sendable, Hashable, CaseIterable {
    case appImage = "appimage"
    /// A bundle as `flatpak build-bundle` makes it.
    case flatpak
    case debian = "deb"
    /// A folder.
    case tarZstd = "tar.zst"
    /// A folder.
    case zip

    /// The format that a file's name ends in; `nil` if none does.
    package init?(fileName: String) {
        let name = fileName.lowercased()
        guard let format = Self.allCases.first(where: { name.hasSuffix(scalars: $0.ending) })
        else { return nil }
        self = format
    }

    private var ending: String { "." + rawValue }

    /// Whether it is installed as the one file that it is, and not unpacked.
    package var isSingleFile: Bool { self == .appImage || self == .flatpak }

    /// The name that people read.
    package var title: String {
        switch self {
        case .appImage: "AppImage"
        case .flatpak: "Flatpak bundle"
        case .debian: "Debian package"
        case .tarZstd: "tar.zst archive"
        case .zip: "zip archive"
        }
    }

    package var mediaType: String {
        switch self {
        case .appImage: "application/vnd.appimage"
        case .flatpak: "application/vnd.flatpak"
        case .debian: "application/vnd.debian.binary-package"
        case .tarZstd: "application/zstd"
        case .zip: "application/zip"
        }
    }

    /// All endings of names, for sentences: `.AppImage, .flatpak, .deb, .tar.zst or .zip`.
    package static let endings = ".AppImage, .flatpak, .deb, .tar.zst or .zip"
}
