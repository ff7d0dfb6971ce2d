// swift-tools-version: 6.2

import PackageDescription

// Sample apps, in a package as an app of your own would have it: it depends on OpenStoreKit
// for the product StoreKit, where the system has no StoreKit of its own.
let storeKit: Target.Dependency = .product(
    name: "StoreKit", package: "OpenStoreKit", condition: .when(platforms: [.linux]))

// Apps live on the main actor, where StoreKit calls them.
let settings: [SwiftSetting] = [.defaultIsolation(MainActor.self)]

let package = Package(
    name: "Samples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenStoreKit", path: "..")],
    targets: [
        .executableTarget(
            name: "Consumables", dependencies: [storeKit], path: "Consumables",
            swiftSettings: settings),
        .executableTarget(
            name: "HostedNonConsumables", dependencies: [storeKit], path: "HostedNonConsumables",
            swiftSettings: settings),
        .executableTarget(
            name: "ProductView", dependencies: [storeKit], path: "ProductView",
            swiftSettings: settings),
        .executableTarget(
            name: "Subscriptions", dependencies: [storeKit], path: "Subscriptions",
            exclude: ["Magazine.storekit"], swiftSettings: settings),
        // Customers at a terminal, in front of the built samples and a real store.
        .testTarget(
            name: "SampleTests",
            dependencies: ["Consumables", "HostedNonConsumables", "ProductView", "Subscriptions"],
            path: "Tests/SampleTests"),
    ],
    swiftLanguageModes: [.v6]
)
