// swift-tools-version: 6.2

import PackageDescription

// Measures the built `openstore` from outside, against baselines of its own that use the
// same libraries directly.
let package = Package(
    name: "StoreBenchmarks",
    targets: [
        .systemLibrary(
            name: "CBenchSQLite", path: "Sources/CBenchSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(
            name: "CBenchCrypto", path: "Sources/CBenchCrypto", pkgConfig: "libcrypto"),
        .executableTarget(
            name: "StoreBench", dependencies: ["CBenchSQLite", "CBenchCrypto"],
            path: "Sources/StoreBench"),
    ],
    swiftLanguageModes: [.v6]
)
