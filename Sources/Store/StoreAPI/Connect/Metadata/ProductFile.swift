import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreMetadata
import StoreWire

/// The body of an import: a metadata file, or Xcode's configuration.
enum ProductFile: Sendable {
    case metadata(MetadataListing)
    case configuration(ConfigurationListing)

    /// Reads all of the body, and finds out what it is.
    ///
    /// - Throws: `ProductFileError` with everything that is wrong in it.
    init(of request: HTTPRequest) throws {
        let pieces = request.bodyPieces()
        // Space, and the bytes of a byte order mark.
        let passedOver: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
        let start = try pieces().first { !passedOver.contains($0) }
        if start == UInt8(ascii: "{") {
            self = .configuration(try ConfigurationListing(request))
        } else {
            self = .metadata(try MetadataListing(request))
        }
    }

    var listing: any ProductListing {
        switch self {
        case .metadata(let listing): listing
        case .configuration(let listing): listing
        }
    }

    var origin: ImportOrigin {
        switch self {
        case .metadata(let listing): listing.origin
        case .configuration: ImportOrigin()
        }
    }

    /// What the file says that an import doesn't take.
    var notTaken: [String] {
        switch self {
        case .metadata(let listing): listing.notTaken
        case .configuration(let listing): listing.notTaken
        }
    }

    /// What is said of an app's products that a configuration has not, or not any longer: Xcode's
    /// file is of all of them.
    func left(among products: [Product]) -> [String] {
        guard case .configuration(let listing) = self else { return [] }
        let names = products.filter { !$0.isDeleted }.map(\.details.productID)
            .filter { !listing.ids.contains($0) }.map(\.text).sorted()
        return names.isEmpty ? [] : [StoreKitConfiguration.leftSentence(names)]
    }
}

/// What is wrong with the form of a file.
struct ProductFileError: Error {
    /// Where it is in the file, where that can be said, and what is wrong.
    let problems: [(line: Int?, problem: String)]
}

/// The products of a metadata file, read from the body each time they are wanted.
struct MetadataListing: ProductListing {
    private let request: HTTPRequest
    let origin: ImportOrigin
    let notTaken: [String]

    /// Reads the file to its end, and keeps nothing of its products.
    fileprivate init(_ request: HTTPRequest) throws {
        self.request = request
        var reader = Self.reader(request)
        var screenshots = 0
        var packages = 0
        while let product = try reader.next() {
            if product.reviewScreenshot != nil { screenshots += 1 }
            if product.content != nil { packages += 1 }
        }
        guard reader.problems.isEmpty, let header = reader.header else {
            throw ProductFileError(problems: reader.problems.map { ($0.line, $0.problem) })
        }
        origin = ImportOrigin(
            sku: header.vendorID, skuLine: header.vendorLine, number: header.appleID,
            numberLine: header.appleLine)
        var notTaken = reader.passedOver.sorted { $0.value < $1.value }.map { name, line in
            "<\(name)> in line \(line) is not about products"
        }
        if screenshots > 0 { notTaken.append("\(screenshots) review screenshots: upload them") }
        if packages > 0 { notTaken.append("\(packages) packages of content: upload them") }
        self.notTaken = notTaken
    }

    func forEach(_ body: (ListedProduct) throws -> Void) throws {
        var reader = Self.reader(request)
        while let product = try reader.next() { try body(ListedProduct(product)) }
    }

    private static func reader(_ request: HTTPRequest) -> ProductMetadataReader {
        ProductMetadataReader(MarkupReader(read: request.bodyPieces()))
    }
}

/// The products of Xcode's configuration.
struct ConfigurationListing: ProductListing {
    private let products: [ListedProduct]
    let notTaken: [String]

    var ids: Set<ProductID> { Set(products.map(\.productID)) }

    fileprivate init(_ request: HTTPRequest) throws {
        var data = Data()
        let pieces = request.bodyPieces()
        while case let piece = try pieces(), !piece.isEmpty {
            data.append(contentsOf: piece)
            // More of it is not even gathered.
            guard data.count <= StoreKitConfiguration.sizeLimit else {
                throw ProductFileError(problems: [(nil, StoreKitConfiguration.sizeProblem)])
            }
        }
        let configuration: StoreKitConfiguration
        do { configuration = try StoreKitConfiguration(data: data) } catch let error
            as StoreKitConfigurationError
        {
            throw ProductFileError(
                problems: error.problems.prefix(ImportRefusal.limit).map { (nil, $0) })
        }
        notTaken = configuration.passedOver
        var problems: [(line: Int?, problem: String)] = []
        products = try configuration.items.compactMap { item in
            do { return try ListedProduct(item, in: configuration.storefront) } catch let error
                as ProductFileError
            {
                problems += error.problems
                return nil
            }
        }
        guard problems.isEmpty else {
            throw ProductFileError(problems: Array(problems.prefix(ImportRefusal.limit)))
        }
    }

    func forEach(_ body: (ListedProduct) throws -> Void) throws {
        for product in products { try body(product) }
    }
}
