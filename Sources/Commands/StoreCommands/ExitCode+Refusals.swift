import StoreCore
import StorePackage
import StoreServer
import StoreMetadata
import StoreWire

// What the rules of a store refuse ends with the same code wherever a command asks: over the API
// (`ConnectFailure`) or in the store's folder.

extension ConnectRefusal: ExitCoded {
    var exitCode: ExitCode {
        switch kind {
        case .notFound: .notFound
        case .forbidden: .notAllowed
        case .tooMany: .later
        case .invalid, .taken, .state: .refused
        }
    }
}

extension AccountRefusal: ExitCoded {
    var exitCode: ExitCode {
        switch self {
        case .unknown: .notFound
        case .signInWrong: .notAllowed
        case .signInDelayed: .later
        default: .refused
        }
    }
}

extension CatalogRefusal: ExitCoded {
    var exitCode: ExitCode { .refused }
}

extension ContentRefusal: ExitCoded {
    var exitCode: ExitCode {
        switch self {
        case .unknownApp, .unknownProduct, .unknownBuild: .notFound
        default: .refused
        }
    }
}

extension FamilyRefusal: ExitCoded {
    var exitCode: ExitCode {
        if case .unknown = self { .notFound } else { .refused }
    }
}

extension ImportRefusal: ExitCoded {
    var exitCode: ExitCode { .refused }
}

extension PackageError: ExitCoded {
    var exitCode: ExitCode { .refused }
}

extension MarkupError: ExitCoded {
    var exitCode: ExitCode { .refused }
}

extension StoreKitConfigurationError: ExitCoded {
    var exitCode: ExitCode { .refused }
}

extension MissingRows: ExitCoded {
    var exitCode: ExitCode { .usage }
}

extension PendingPurchaseRefusal: ExitCoded {
    var exitCode: ExitCode {
        if case .unknown = self { .notFound } else { .refused }
    }
}

extension RefundRefusal: ExitCoded {
    var exitCode: ExitCode { self == .notFound ? .notFound : .refused }
}

extension StoreRefusal: ExitCoded {
    var exitCode: ExitCode {
        switch self {
        case .unknownApp, .noContentFolder: .notFound
        default: .refused
        }
    }
}

extension SubscriptionChangeRefusal: ExitCoded {
    var exitCode: ExitCode { self == .notFound ? .notFound : .refused }
}
