// swift-tools-version: 6.2

import PackageDescription

// Debian's libraries. Each is one header and a module map; what the header adds
// is wrappers for macros and variadic functions, which Swift can't import.
let systemTargets: [Target] = [
    .systemLibrary(name: "CStoreSQLite", path: "Sources/System/CStoreSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(
        name: "CStorePostgres", path: "Sources/System/CStorePostgres", pkgConfig: "libpq"),
    .systemLibrary(
        name: "CStoreCrypto", path: "Sources/System/CStoreCrypto", pkgConfig: "libcrypto"),
    .systemLibrary(
        name: "CStoreArchive", path: "Sources/System/CStoreArchive", pkgConfig: "libarchive"),
    .systemLibrary(name: "CStoreZstd", path: "Sources/System/CStoreZstd", pkgConfig: "libzstd"),
    .systemLibrary(name: "CStoreZlib", path: "Sources/System/CStoreZlib", pkgConfig: "zlib"),
    .systemLibrary(
        name: "CStoreHTTP", path: "Sources/System/CStoreHTTP", pkgConfig: "libmicrohttpd"),
    .systemLibrary(
        name: "CStoreCurl", path: "Sources/System/CStoreCurl", pkgConfig: "libcurl"),
    .systemLibrary(name: "CStoreXML", path: "Sources/System/CStoreXML", pkgConfig: "expat"),
    // libgd's pkg-config has a flag that SwiftPM warns of with every build, and adds nothing else.
    .systemLibrary(name: "CStorePictures", path: "Sources/System/CStorePictures"),
    .systemLibrary(name: "CStoreLinux", path: "Sources/System/CStoreLinux"),
]

// What the store and the device have in common.
let sharedTargets: [Target] = [
    .target(name: "StoreKernel", path: "Sources/Shared/StoreKernel"),
    .target(
        name: "StoreModel", dependencies: ["StoreKernel"], path: "Sources/Shared/StoreModel"),
    .target(
        name: "StoreWire", dependencies: ["StoreKernel", "StoreModel"],
        path: "Sources/Shared/StoreWire"),
    // What customers read, a file for each language, put into the program by the C compiler.
    .target(
        name: "CStoreTexts", path: "Sources/Shared/CStoreTexts",
        exclude: ["ja.po", "ru.po", "texts.pot", "zh-Hans.po", "zh-Hant.po"]),
    .target(
        name: "StoreTexts", dependencies: ["CStoreTexts", "StoreModel"],
        path: "Sources/Shared/StoreTexts"),
    .target(
        name: "StoreMetadata", dependencies: ["CStoreXML", "StoreModel"],
        path: "Sources/Shared/StoreMetadata"),
    .target(
        name: "StoreSecurity", dependencies: ["CStoreCrypto", "StoreKernel"],
        path: "Sources/Shared/StoreSecurity"),
    // One HTTP client: for devices, notifications and object stores.
    .target(
        name: "StoreTransport", dependencies: ["CStoreCurl", "StoreSecurity"],
        path: "Sources/Shared/StoreTransport"),
    .target(
        name: "StorePackage",
        dependencies: [
            "StoreKernel", "StoreModel", "StoreMetadata", "CStoreArchive", "CStoreLinux",
            "CStoreZlib",
        ],
        path: "Sources/Shared/StorePackage"),
    .target(
        name: "StoreDelivery",
        dependencies: ["StoreKernel", "StoreModel", "StoreSecurity", "CStoreLinux", "CStoreZstd"],
        path: "Sources/Shared/StoreDelivery"),
]

let storeTargets: [Target] = [
    // The schema of the database, embedded by the C compiler.
    .target(
        name: "CStoreSchema", path: "Sources/Store/CStoreSchema",
        exclude: ["Schema.sql", "Steps.sql"]),
    // Drivers for SQLite and PostgreSQL, and records over both. No table of the store is named in it.
    .target(
        name: "StoreDatabase", dependencies: ["CStorePostgres", "CStoreSQLite", "StoreKernel"],
        path: "Sources/Store/StoreDatabase"),
    .target(
        name: "StoreCore",
        dependencies: ["CStoreSchema", "StoreDatabase", "StoreKernel", "StoreModel"],
        path: "Sources/Store/StoreCore"),
    // Content in folders, or in an object store that speaks S3's protocol.
    .target(
        name: "StoreContent",
        dependencies: [
            "StoreCore", "StoreKernel", "StoreModel", "StoreSecurity", "StoreMetadata",
            "StoreTransport",
        ],
        path: "Sources/Store/StoreContent"),
    // The partner feed: tables of what there is, as archives in a folder.
    .target(
        name: "StoreFeed",
        dependencies: [
            "CStoreArchive", "CStoreLinux", "StoreCore", "StoreKernel", "StoreModel",
            "StoreSecurity",
        ],
        path: "Sources/Store/StoreFeed"),
    // Backups: the files of a store in a folder or an archive, with a manifest.
    .target(
        name: "StoreBackup",
        dependencies: ["CStoreArchive", "CStoreLinux", "StoreKernel", "StoreSecurity"],
        path: "Sources/Store/StoreBackup"),
    .target(
        name: "StorePictures",
        dependencies: ["StoreCore", "StoreKernel", "StoreModel", "CStorePictures"],
        path: "Sources/Store/StorePictures"),
    .target(name: "StoreHTTP", dependencies: ["CStoreHTTP"], path: "Sources/Store/StoreHTTP"),
    // Descriptions of others' interfaces, put into the program by the C compiler.
    .target(name: "CStoreDescriptions", path: "Sources/Store/CStoreDescriptions"),
    .target(
        name: "StoreAPI",
        dependencies: [
            "CStoreDescriptions", "StoreCore", "StoreKernel", "StoreModel", "StoreMetadata",
            "StoreWire",
            "StoreHTTP", "StoreSecurity",
        ],
        path: "Sources/Store/StoreAPI"),
    // Style sheet and picture of the pages, put into the program by the C compiler.
    .target(
        name: "CStorePages", path: "Sources/Store/CStorePages",
        exclude: [
            "connect.css", "connect.js", "mark.svg", "pages.css", "palette.css", "storefront.css",
        ]),
    .target(
        name: "StorePages",
        dependencies: [
            "CStorePages", "StoreCore", "StoreHTTP", "StoreKernel", "StoreModel", "StoreTexts",
        ],
        path: "Sources/Store/StorePages"),
    .target(
        name: "StoreServer",
        dependencies: [
            "StoreAPI", "StoreBackup", "StoreContent", "StoreCore", "StoreDelivery",
            "StoreDatabase", "StoreFeed", "StoreHTTP", "StoreKernel",
            "StoreModel", "StorePackage", "StorePages", "StorePictures",
            "StoreSecurity", "StoreTransport", "StoreWire",
        ],
        path: "Sources/Store/StoreServer"),
]

let clientTargets: [Target] = [
    .target(name: "CStoreKitEnums", path: "Sources/Client/CStoreKitEnums"),
    .target(name: "CStoreReceiptURL", path: "Sources/Client/CStoreReceiptURL"),
    .target(
        name: "StoreKit",
        dependencies: [
            "CStoreKitEnums", "CStoreLinux", "CStoreReceiptURL", "StoreDelivery",
            "StoreKernel", "StoreModel", "StoreSecurity", "StoreTexts", "StoreTransport",
            "StoreWire",
        ],
        path: "Sources/Client/StoreKit"),
    // A store inside the process of a test. Only who tests builds it, and the store with it.
    .target(
        name: "StoreKitTest",
        dependencies: [
            "StoreAPI", "StoreCore", "StoreKernel", "StoreKit", "StoreModel", "StoreServer",
            "StoreWire",
        ],
        path: "Sources/Client/StoreKitTest"),
    // What Apple's Foundation has, Linux's lacks, and code around StoreKit uses.
    .target(
        name: "StoreFoundationAdditions", path: "Sources/Client/StoreFoundationAdditions"),
    // The download agent: the framework starts it, and it finishes downloads after their app has ended.
    .executableTarget(
        name: "openstore-downloads", dependencies: ["StoreKit"],
        path: "Sources/Client/StoreDownloadAgent"),
]

let commandTargets: [Target] = [
    .target(
        name: "StoreCommands",
        dependencies: [
            "CStoreLinux", "StoreBackup", "StoreContent", "StoreCore", "StoreDelivery",
            "StoreFeed", "StoreHTTP", "StoreKernel", "StoreKit",
            "StoreModel", "StorePackage", "StoreSecurity", "StoreServer", "StoreMetadata",
            "StoreWire",
        ],
        path: "Sources/Commands/StoreCommands"),
    .executableTarget(
        name: "openstore", dependencies: ["StoreCommands"], path: "Sources/Commands/openstore"),
]

// Suites mirror the sources; what they share is in Tests/Support.
let testTargets: [Target] = [
    .target(
        name: "StoreTestSupport",
        dependencies: [
            "CStorePostgres", "CStoreZlib", "StoreAPI", "StoreContent", "StoreCore",
            "StoreDatabase", "StoreHTTP", "StoreKernel", "StoreKit", "StoreModel", "StorePackage",
            "StorePackageSamples",
            "StorePages",
            "StoreServer",
            "StoreWire",
        ],
        path: "Tests/Support/StoreTestSupport"),
    // Packages as no tool would make them: for tests, and as seeds for fuzzing.
    .target(
        name: "StorePackageSamples",
        dependencies: ["CStoreZlib", "CStoreZstd", "StorePackage"],
        path: "Tests/Support/StorePackageSamples"),
    // Writes what fuzzing begins with; Scripts/fuzz.sh calls it.
    .executableTarget(
        name: "StoreFuzzSeeds",
        dependencies: [
            "CStoreCrypto", "CStoreZstd", "StoreDelivery", "StoreModel", "StorePackageSamples",
            "StoreSecurity", "StoreMetadata", "StoreWire",
        ],
        path: "Tests/Support/StoreFuzzSeeds"),
    // Signs transactions as fast as it can; Benchmarks calls it.
    .executableTarget(
        name: "StoreSigningBench",
        dependencies: [
            "StoreAPI", "StoreCore", "StoreModel", "StoreServer", "StoreTestSupport",
        ],
        path: "Tests/Support/StoreSigningBench"),
    // A store that is killed between a commit and its answer.
    .executableTarget(
        name: "StoreFaultServer",
        dependencies: ["StoreCore", "StoreServer", "StoreTestSupport"],
        path: "Tests/Support/StoreFaultServer"),
    // An app that links nothing but StoreKit, and can be killed at chosen points.
    .executableTarget(
        name: "StoreTestApp", dependencies: ["StoreKit"], path: "Tests/Support/StoreTestApp"),
    // Random steps through queue, journal, store and network, on a thread of its own making.
    .target(name: "CStoreTaskHooks", path: "Tests/Support/CStoreTaskHooks"),
    .executableTarget(
        name: "StoreStateMachine",
        dependencies: [
            "CStoreTaskHooks", "StoreAPI", "StoreCore", "StoreHTTP", "StoreKit", "StoreModel",
            "StoreSecurity", "StoreServer", "StoreTestSupport", "StoreWire",
        ],
        path: "Tests/Support/StoreStateMachine"),
    suite("StoreKernel"),
    suite("StoreModel"),
    suite("StoreWire", ["StoreModel"], exclude: ["Fixtures"]),
    suite("StoreTexts", ["StoreModel"]),
    suite("StoreMetadata", ["StoreModel"]),
    suite("StoreSecurity"),
    suite("StoreTransport"),
    suite("StorePackage", ["StoreModel", "StorePackageSamples"]),
    suite("StoreDelivery", ["StoreModel", "StoreSecurity"]),
    suite("StoreCore", ["StoreModel"]),
    .testTarget(
        name: "DriverContractTests",
        dependencies: [
            "StoreContent", "StoreCore", "StoreDatabase", "StoreModel", "StoreSecurity",
            "StoreServer", "StoreTestSupport",
        ],
        exclude: ["Fixtures"]),
    suite("StoreContent", ["StoreCore", "StoreKit", "StoreModel", "StoreSecurity"]),
    suite(
        "StoreFeed", ["StoreAPI", "StoreCore", "StoreHTTP", "StoreModel", "StoreServer"]),
    suite("StoreHTTP"),
    suite("StorePictures", ["CStorePictures", "StoreCore", "StoreModel"]),
    suite(
        "StoreAPI",
        [
            "StoreCore", "StoreHTTP", "StoreKernel", "StoreModel", "StorePackage", "StoreSecurity",
            "StoreServer",
            "StoreMetadata",
            "StoreWire",
        ]),
    suite(
        "StorePages",
        [
            "StoreAPI", "StoreCore", "StoreHTTP", "StoreModel", "StoreSecurity", "StoreServer",
            "StoreWire", "StoreTexts",
        ]),
    suite(
        "StoreServer",
        [
            "StoreAPI", "StoreBackup", "StoreContent", "StoreCore", "StoreDatabase", "StoreHTTP",
            "StoreKernel", "StoreModel", "StorePackage", "StoreSecurity", "StoreWire",
        ]),
    suite(
        "StoreKit",
        [
            "CStoreLinux", "StoreCore", "StoreDelivery", "StoreHTTP", "StoreKernel", "StoreModel",
            "StoreSecurity", "StoreServer", "StoreTransport", "StoreWire", "StoreTexts",
        ]),
    // Tests as those of apps, which see what they see.
    .testTarget(
        name: "StoreKitTestTests", dependencies: ["StoreKitTest"],
        resources: [.process("Resources")], packageAccess: false),
    .testTarget(
        name: "StoreKitStateTests", dependencies: ["StoreStateMachine", "StoreTestSupport"]),
    // Code as apps write it, which sees what apps see, in both language modes.
    .testTarget(
        name: "StoreKitSourceTests", dependencies: ["StoreKit", "StoreFoundationAdditions"],
        exclude: ["Documentation/Manifest"], packageAccess: false,
        swiftSettings: [.swiftLanguageMode(.v6)]),
    .testTarget(
        name: "StoreKitSwift5SourceTests", dependencies: ["StoreKit", "StoreFoundationAdditions"],
        packageAccess: false, swiftSettings: [.swiftLanguageMode(.v5)]),
    suite(
        "StoreCommands",
        [
            "StoreCore", "StoreKit", "StoreModel", "StorePages", "StoreSecurity", "StoreServer",
            "StoreWire",
        ], exclude: ["Golden"]),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "StoreCore", "StoreDatabase", "StoreFaultServer", "StoreKit", "StoreModel",
            "StorePackageSamples", "StoreServer", "StoreTestApp", "StoreTestSupport", "openstore",
            "openstore-downloads",
        ]),
]

/// The suite of one module.
func suite(
    _ module: String, _ more: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "\(module)Tests",
        dependencies: [.byName(name: module), "StoreTestSupport"] + more, exclude: exclude)
}

/// The suites that `TEST_TARGETS` names, separated by spaces; all of them without it. A build with a
/// sanitizer takes a third of the time where only one suite runs under it.
let chosenSuites: [Substring]? = Context.environment["TEST_TARGETS"]?.split(separator: " ")
let chosenTestTargets: [Target] = testTargets.filter { target in
    target.type != .test || chosenSuites?.contains { $0 == target.name } ?? true
}

let package = Package(
    name: "OpenStoreKit",
    products: [
        .library(name: "StoreKit", targets: ["StoreKit"]),
        .library(name: "StoreKitTest", targets: ["StoreKitTest"]),
        .library(name: "StoreFoundationAdditions", targets: ["StoreFoundationAdditions"]),
        .executable(name: "openstore", targets: ["openstore"]),
        .executable(name: "openstore-downloads", targets: ["openstore-downloads"]),
    ],
    targets: systemTargets + sharedTargets + storeTargets + clientTargets + commandTargets
        + chosenTestTargets,
    swiftLanguageModes: [.v6]
)
