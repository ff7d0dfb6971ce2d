// swift-tools-version: 6.2

import PackageDescription

// Measures the built `openstore` from outside, against baselines of its own that use the
// same libraries directly, and apps that link StoreKit as any app does, against apps that
// link Foundation only.
let package = Package(
    name: "StoreBenchmarks",
    dependencies: [.package(name: "OpenStoreKit", path: "..")],
    targets: [
        .systemLibrary(
            name: "CBenchSQLite", path: "Sources/CBenchSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(
            name: "CBenchCrypto", path: "Sources/CBenchCrypto", pkgConfig: "libcrypto"),
        .systemLibrary(
            name: "CBenchPostgres", path: "Sources/CBenchPostgres", pkgConfig: "libpq"),
        .executableTarget(
            name: "StoreBench", dependencies: ["CBenchSQLite", "CBenchCrypto", "CBenchPostgres"],
            path: "Sources/StoreBench"),
        .executableTarget(
            name: "LaunchApp",
            dependencies: [.product(name: "StoreKit", package: "OpenStoreKit")],
            path: "Sources/Apps/LaunchApp"),
        .executableTarget(
            name: "DownloadApp",
            dependencies: [.product(name: "StoreKit", package: "OpenStoreKit")],
            path: "Sources/Apps/DownloadApp"),
        .executableTarget(
            name: "SessionApp",
            dependencies: [.product(name: "StoreKitTest", package: "OpenStoreKit")],
            path: "Sources/Apps/SessionApp"),
        .executableTarget(name: "EmptyApp", path: "Sources/Apps/EmptyApp"),
        .executableTarget(name: "NetworkApp", path: "Sources/Apps/NetworkApp"),
    ],
    swiftLanguageModes: [.v6]
)
