import StoreModel

/// What the store refuses about hosted content. Each says what to do.
package enum ContentRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case unknownApp(BundleID)
    case unknownProduct(ProductID, BundleID)
    /// Only non-consumables have hosted content.
    case notHostable(ProductID, ProductType)
    case notHosted(ProductID)
    /// It could be bought without hosted content: customers have it so.
    case soldUnhosted(ProductID)
    /// It could be bought with hosted content: customers may fetch it again.
    case soldHosted(ProductID)
    case wrongState(ProductID, ProductState, ProductStep)
    case versionTaken(ProductID, ContentVersion)
    case versionOlder(ProductID, ContentVersion, newest: ContentVersion)
    /// It hosts content, but there is none to be sold.
    case contentMissing(ProductID)
    case unknownBuild(AppBuildID, BundleID)
    /// The build was recorded with another file, which has this digest.
    case otherBuildFile(ContentVersion, ContentDigest)
    case buildHasFile(ContentVersion)

    package var description: String {
        switch self {
        case .unknownApp(let app):
            "The store has no app \(app); import its catalog first (openstore catalog import)."
        case .unknownProduct(let id, let app):
            "The app \(app) has no product \(id); check the spelling, also upper and lower case."
        case .notHostable(let id, let type):
            "\(id) is of the type \(type.rawValue); only non-consumable products have hosted "
                + "content."
        case .notHosted(let id):
            "The store does not host content for \(id); switch it on first (openstore content "
                + "host)."
        case .soldUnhosted(let id):
            "\(id) was on sale without hosted content; hosting is for products that were never on "
                + "sale. Make a new product."
        case .soldHosted(let id):
            "\(id) was on sale with hosted content, which its buyers may download again; it stays "
                + "hosted."
        case .wrongState(let id, let state, let step):
            "\(id) is in the state \(state.rawValue) and can't be \(step.participle) now. "
                + ProductRules.help(after: step, in: state)
        case .versionTaken(let id, let version):
            "Version \(version) of the content of \(id) exists already; raise ContentVersion in "
                + "ContentInfo.plist."
        case .versionOlder(let id, let version, let newest):
            "The content of \(id) has version \(version), which is older than \(newest); raise "
                + "ContentVersion in ContentInfo.plist."
        case .contentMissing(let id):
            "\(id) hosts content but has none that could be sold; upload it first (openstore "
                + "content upload)."
        case .unknownBuild(let id, let app):
            "The app \(app) has no build \(id); openstore build list shows them."
        case .otherBuildFile(let number, let digest):
            "Build \(number) is recorded with another file, whose SHA-256 is \(digest); upload that "
                + "one, or add a build with a higher number."
        case .buildHasFile(let number):
            "Build \(number) has its file already; add a build with a higher number for another "
                + "one."
        }
    }
}

/// Bytes of a version are not where they were when it was made: somebody has collected them
/// meanwhile. Making it once more brings them back.
package struct ContentFilesMissing: Error, Sendable, Hashable, CustomStringConvertible {
    package let digests: [ContentDigest]

    package var description: String {
        "The store has lost bytes that version is made of; try again."
    }
}

extension ConnectRefusal {
    /// What the rules of content refuse, in Connect.
    package init(_ refusal: ContentRefusal) {
        switch refusal {
        case .unknownApp(let id): self = .notFound("app", id.text)
        case .unknownProduct(let id, _): self = .notFound("product", id.text)
        case .unknownBuild(let id, _): self = .notFound("build", id.text)
        case .otherBuildFile, .buildHasFile:
            self.init(
                .state, rule: "buildFile", field: "build", refusal.description,
                help: "The version's page says which builds have their files.")
        case .wrongState(let id, let state, let step):
            self.init(
                .state, rule: "productState", field: "state",
                "\(id) is in the state \(state.rawValue) and can't be \(step.participle) now.",
                help: ProductRules.help(after: step, in: state))
        default:
            self.init(
                .state, rule: "content", field: "contentHosting", refusal.description,
                help: "The product's page says where its content stands.")
        }
    }
}
