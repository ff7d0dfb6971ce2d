import Foundation
import StoreModel

/// Reads the metadata XML of App Store Connect's Transporter (`software5`), one in-app purchase
/// at a time.
///
/// What is wrong is remembered in `problems` with its line, and reading goes on, so that all
/// of it is told at once; only what is no XML ends it.
package struct MetadataReader {
    /// What the vocabulary is called.
    package static let namespace = "http://apple.com/itunes/importer"
    /// As many problems as are remembered.
    package static let problemLimit = 500

    private var scanner: XMLScanner
    /// The SKU of the app that the file is for.
    package private(set) var vendorID: Located<String>?
    package private(set) var problems: [XMLProblem] = []
    /// How many problems there were that are not remembered.
    package private(set) var furtherProblems = 0

    package init(read: @escaping () throws -> Data) {
        scanner = XMLScanner(read: read)
    }

    package init(_ data: Data) {
        scanner = XMLScanner(data)
    }

    /// The next in-app purchase, as far as it could be read; nil behind the last one.
    ///
    /// - Throws: `XMLProblem` for what is no XML, or what reading the file throws.
    package mutating func next() throws -> MetadataProduct? {
        while let event = try scanner.next() {
            switch event {
            case .start(let tag):
                if let product = try take(tag) { return product }
            case .text(let text, let line): check(isBlank: text, line)
            case .end: break
            }
        }
        return nil
    }

    /// An element outside of the in-app purchases.
    private mutating func take(_ tag: XMLTag) throws -> MetadataProduct? {
        switch scanner.path.joined(separator: "/") {
        case "package": checkRoot(tag)
        case "package/metadata_token", "package/provider", "package/team_id",
            "package/language", "package/software/read_only_info":
            try skip(tag)
        case "package/software", "package/software/software_metadata",
            "package/software/software_metadata/in_app_purchases":
            break
        case "package/software/vendor_id":
            vendorID = Located(try text(of: tag), line: tag.line)
        case "package/software/software_metadata/in_app_purchases/in_app_purchase":
            return try product(tag)
        default: try refuse(tag)
        }
        return nil
    }

    private mutating func checkRoot(_ tag: XMLTag) {
        if tag.attributes["xmlns"] != Self.namespace {
            report(tag.line, "<package> must have xmlns=\"\(Self.namespace)\".")
        }
        if tag.attributes["version"]?.hasPrefix("software") != true {
            report(tag.line, "<package> must have a version such as software5.11.")
        }
    }

    // MARK: In-app purchases

    private static let types: [String: ProductType] = [
        "consumable": .consumable, "non-consumable": .nonConsumable,
        "auto-renewable": .autoRenewableSubscription, "subscription": .nonRenewingSubscription,
        "free-subscription": .nonRenewingSubscription,
    ]

    private mutating func product(_ tag: XMLTag) throws -> MetadataProduct? {
        var product = MetadataProduct(line: tag.line, productID: "")
        var seen: Set<String> = []
        try each(in: tag) { reader, child in
            guard seen.insert(child.name).inserted else {
                reader.report(child.line, "<\(child.name)> is there twice.")
                return try reader.skip(child)
            }
            switch child.name {
            case "product_id": product.productID = try reader.text(of: child)
            case "reference_name": product.referenceName = try reader.text(of: child)
            case "type":
                product.type = try reader.value(
                    of: child, "one of \(Self.types.keys.sorted().joined(separator: ", "))"
                ) { Self.types[$0] }
            case "products": product.offers = try reader.offers(child)
            case "locales": product.texts = try reader.texts(child)
            case "review_notes": product.reviewNotes = try reader.text(of: child)
            case "review_screenshot":
                product.files += try reader.file(child).map { [$0] } ?? []
            case "software_assets": product.files += try reader.assets(child)
            case "read_only_info": try reader.skip(child)
            default: try reader.refuse(child)
            }
        }
        guard !product.productID.isEmpty else {
            report(tag.line, "<in_app_purchase> has no <product_id>.")
            return nil
        }
        return product
    }

    private mutating func texts(_ tag: XMLTag) throws -> [String: MetadataProduct.Text] {
        var texts: [String: MetadataProduct.Text] = [:]
        try each(in: tag) { reader, child in
            guard child.name == "locale" else { return try reader.refuse(child) }
            guard let name = child.attributes["name"], !name.isEmpty else {
                reader.report(child.line, "<locale> has no name.")
                return try reader.skip(child)
            }
            var text = MetadataProduct.Text(title: "", description: "")
            try reader.each(in: child) { reader, part in
                switch part.name {
                case "title": text.title = try reader.text(of: part)
                case "description": text.description = try reader.text(of: part)
                default: try reader.refuse(part)
                }
            }
            if texts.updateValue(text, forKey: name) != nil {
                reader.report(child.line, "The locale \(name.prefix(40)) is there twice.")
            }
        }
        return texts
    }

    /// The name of a file that goes with the product.
    private mutating func file(_ tag: XMLTag) throws -> Located<String>? {
        var name: Located<String>?
        try each(in: tag) { reader, child in
            switch child.name {
            case "file_name":
                name = Located(try reader.text(of: child), line: child.line)
            case "size", "checksum": try reader.skip(child)
            default: try reader.refuse(child)
            }
        }
        if name == nil { report(tag.line, "<\(tag.name)> has no <file_name>.") }
        return name
    }

    private mutating func assets(_ tag: XMLTag) throws -> [Located<String>] {
        var files: [Located<String>] = []
        try each(in: tag) { reader, asset in
            guard asset.name == "asset" else { return try reader.refuse(asset) }
            try reader.each(in: asset) { reader, child in
                guard child.name == "data_file" else { return try reader.refuse(child) }
                files += try reader.file(child).map { [$0] } ?? []
            }
        }
        return files
    }
}

// MARK: - Elements

extension MetadataReader {
    mutating func report(_ line: Int, _ message: String) {
        guard problems.count < Self.problemLimit else {
            furtherProblems += 1
            return
        }
        problems.append(XMLProblem(line: line, message))
    }

    /// Calls the body for each element within one, until it ends. The body reads the element
    /// to its end.
    mutating func each(
        in tag: XMLTag, _ body: (inout MetadataReader, XMLTag) throws -> Void
    ) throws {
        while let event = try scanner.next() {
            switch event {
            case .start(let child): try body(&self, child)
            case .text(let text, let line): check(isBlank: text, line)
            case .end: return
            }
        }
    }

    /// The text of an element, without space around it.
    mutating func text(of tag: XMLTag) throws -> String {
        var result = ""
        while let event = try scanner.next() {
            switch event {
            case .start(let child): try refuse(child)
            case .text(let text, _):
                guard result.utf8.count + text.utf8.count <= 64 << 10 else {
                    throw XMLProblem(
                        line: tag.line, "The text of <\(tag.name)> has more than 65536 bytes.")
                }
                result += text
            case .end: return result.trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }
        return result
    }

    /// The text of an element as a value; nil where it is none, which is reported.
    mutating func value<Value>(
        of tag: XMLTag, _ form: String, _ make: (String) -> Value?
    ) throws -> Value? {
        let text = try text(of: tag)
        guard let value = make(text) else {
            report(tag.line, "\"\(text.prefix(60))\" in <\(tag.name)> is not \(form).")
            return nil
        }
        return value
    }

    /// Reports an element that does not belong where it stands, and passes over it.
    mutating func refuse(_ tag: XMLTag) throws {
        let parent = scanner.path.dropLast().last.map { "<\($0)>" } ?? "the file"
        report(tag.line, "<\(tag.name)> does not belong into \(parent).")
        try skip(tag)
    }

    /// Passes over an element with everything in it.
    mutating func skip(_ tag: XMLTag) throws {
        var depth = 1
        while depth > 0, let event = try scanner.next() {
            switch event {
            case .start: depth += 1
            case .end: depth -= 1
            case .text: break
            }
        }
    }

    fileprivate mutating func check(isBlank text: String, _ line: Int) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { return }
        report(line, "There is text where only elements belong: \"\(text.prefix(40))\".")
    }
}
