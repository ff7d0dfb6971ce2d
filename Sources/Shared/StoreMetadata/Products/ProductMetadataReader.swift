import Foundation
import StoreModel

/// Reads products from the metadata XML of App Store Connect's Transporter.
///
///     var reader = ProductMetadataReader(MarkupReader(file: file))
///     while let product = try reader.next() { … }
///     guard reader.problems.isEmpty else { … }
///
/// One product is in memory at a time. Everything that is wrong is gathered with its line; a
/// product with something wrong in it is not given out, and after
/// `MetadataLimits.problems` of them, or where the text is no XML, reading stops.
package struct ProductMetadataReader {
    private let markup: MarkupReader
    private var open: [MetadataElement] = []
    /// How many elements are open inside one that is passed over.
    private var depthPassedOver = 0
    private var productStart = 0
    private var seen: [ProductID: Int] = [:]
    private var hasEnded = false
    /// What the file says about the app; known for sure at its end only.
    package private(set) var header: MetadataHeader?
    package private(set) var problems: [MetadataProblem] = []
    /// Elements of Apple's format that are not about products, with the line of the first.
    package private(set) var passedOver: [String: Int] = [:]

    package init(_ markup: MarkupReader) {
        self.markup = markup
    }

    /// The next product; nil at the end of the file, or of reading it.
    ///
    /// - Throws: what reading the bytes throws, never for what the file says.
    package mutating func next() throws -> MetadataProduct? {
        guard !hasEnded else { return nil }
        do {
            while let event = try markup.next() {
                let product = take(event)
                // A product may bring any number of them at once.
                problems.removeLast(max(0, problems.count - MetadataLimits.problems))
                if let problem = excess { throw problem }
                if let product { return product }
            }
        } catch let error as MarkupError {
            problems.append(MetadataProblem(line: error.line, error.problem))
        }
        hasEnded = true
        return nil
    }

    /// Why nothing more is read, although it could be.
    private var excess: MarkupError? {
        guard problems.count < MetadataLimits.problems else {
            return MarkupError(
                line: markup.line,
                "reading stopped here after \(problems.count) problems; there may be more")
        }
        let isInProduct = open.contains { $0.name == MetadataRule.productElement }
        guard isInProduct, markup.position - productStart > MetadataLimits.productBytes else {
            return nil
        }
        return MarkupError(
            line: markup.line,
            "a product takes more than \(MetadataLimits.productBytes >> 10) KB of the file")
    }

    private mutating func report(_ line: Int, _ problem: String) {
        problems.append(MetadataProblem(line: line, problem))
        if !open.isEmpty { open[open.count - 1].isDamaged = true }
    }

    // MARK: Elements

    private mutating func take(_ event: MarkupEvent) -> MetadataProduct? {
        switch event {
        case .start(let tag):
            if depthPassedOver > 0 { depthPassedOver += 1 } else { begin(tag) }
        case .text(let text):
            if depthPassedOver == 0 { add(text) }
        case .end:
            guard depthPassedOver == 0 else {
                depthPassedOver -= 1
                return nil
            }
            return end()
        }
        return nil
    }

    private mutating func begin(_ tag: MarkupTag) {
        let parent = open.last?.rule ?? .document
        guard let child = parent.child(tag.name) else {
            depthPassedOver = 1
            report(
                tag.line,
                open.last.map { "<\($0.name)> can't hold <\(tag.name)>; \(parent.allowed)" }
                    ?? "the outermost element is <\(tag.name)>; it must be <package>")
            return
        }
        guard child.rule.isRead else {
            depthPassedOver = 1
            passedOver[tag.name] = passedOver[tag.name] ?? tag.line
            return
        }
        if let last = open.indices.last {
            open[last].counts[tag.name, default: 0] += 1
            guard open[last].counts[tag.name, default: 0] <= child.limit else {
                depthPassedOver = 1
                if open[last].counts[tag.name] == child.limit + 1 {
                    report(
                        tag.line,
                        child.limit == 1
                            ? "<\(open[last].name)> holds <\(tag.name)> twice; it holds one"
                            : "<\(open[last].name)> holds more than \(child.limit) "
                                + "<\(tag.name)>; split the file")
                }
                return
            }
        }
        if tag.name == MetadataRule.productElement { productStart = markup.position }
        open.append(MetadataElement(tag, child.rule))
        check(tag, child.rule)
    }

    private mutating func check(_ tag: MarkupTag, _ rule: MetadataRule) {
        for (name, _) in tag.attributes
        where !rule.attributes.contains(where: { $0.name == name }) {
            report(
                tag.line,
                "<\(tag.name)> can't have the attribute \(name); \(rule.allowedAttributes)"
            )
        }
        for attribute in rule.attributes where attribute.isRequired && tag[attribute.name] == nil {
            report(tag.line, "<\(tag.name)> lacks the attribute \(attribute.name)")
        }
        guard tag.name == "package" else { return }
        if let space = tag["xmlns"], space != Self.namespace {
            report(
                tag.line, "xmlns is \(MarkupText.shown(space)); it must be \"\(Self.namespace)\"")
        }
        if let version = tag["version"], !version.hasPrefix(scalars: "software5.") {
            report(
                tag.line,
                "the version is \(MarkupText.shown(version)); in-app purchases are in "
                    + "\"software5.0\" to \"software5.12\"")
        }
    }

    static let namespace = "http://apple.com/itunes/importer"

    private mutating func add(_ text: String) {
        guard let last = open.indices.last else { return }
        if open[last].rule.isText {
            open[last].text += text
        } else if text.contains(where: { !$0.isWhitespace }), !open[last].isDamaged {
            report(
                open[last].line,
                "<\(open[last].name)> can't hold the text \(MarkupText.shown(trimmed(text))); "
                    + open[last].rule.allowed)
        }
    }

    private func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private mutating func end() -> MetadataProduct? {
        guard let element = open.last else { return nil }
        for child in element.rule.children
        where child.isRequired && element.counts[child.name] == nil {
            report(element.line, "<\(element.name)> lacks <\(child.name)>")
        }
        let whole = open.removeLast()
        guard whole.name != MetadataRule.productElement else { return product(whole) }
        guard let last = open.indices.last else {
            readHeader(whole)
            return nil
        }
        open[last].isDamaged = open[last].isDamaged || whole.isDamaged
        // Products were given out; what is around them stays for the header.
        open[last].children.append(whole)
        return nil
    }

    private mutating func product(_ element: MetadataElement) -> MetadataProduct? {
        var parser = ProductElementParser(element)
        let product = parser.product()
        problems += parser.problems
        if let id = ProductID(element["product_id"]?.value ?? "") {
            if let earlier = seen[id] {
                problems.append(
                    MetadataProblem(
                        line: element["product_id"]?.line ?? element.line,
                        "the product \(id) stands in line \(earlier) already; list it once"))
                return nil
            }
            seen[id] = element.line
        }
        return element.isDamaged || !parser.problems.isEmpty ? nil : product
    }

    // MARK: The app

    private mutating func readHeader(_ package: MetadataElement) {
        guard let software = package["software"], let vendor = software["vendor_id"] else { return }
        if vendor.value.isEmpty { report(vendor.line, "<vendor_id> is empty; it is the app's SKU") }
        let apple = software["read_only_info"]?.children.first { $0.tag["key"] == "apple-id" }
        var appleID: Int64?
        if let apple {
            appleID = Int64(apple.value)
            if appleID == nil {
                report(
                    apple.line,
                    "the apple-id is \(MarkupText.shown(apple.value)); it is a number")
            }
        }
        header = MetadataHeader(
            provider: package["provider"]?.value, teamID: package["team_id"]?.value,
            vendorID: vendor.value, appleID: appleID, vendorLine: vendor.line,
            appleLine: apple?.line ?? 0)
    }
}
