// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shop",
    dependencies: [.package(path: "../OpenStoreKit")],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(
                    name: "StoreKit", package: "OpenStoreKit",
                    condition: .when(platforms: [.linux]))
            ]),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Shop", .product(name: "StoreKitTest", package: "OpenStoreKit"),
            ],
            resources: [.process("Shop.storekit")]),
    ]
)
