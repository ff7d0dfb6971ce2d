import Foundation

/// Looks through a xar archive's table of contents as it is inflated.
///
/// Tables are written by tools, so only plain elements in UTF-8 are taken: no
/// declarations, entities, comments or sections of raw text, and nothing nested deeper
/// than folders are. What is left can't cost libarchive more than its length, and the
/// extents of all files can be checked before the first is read.
final class TableScanner {
    /// What a table says that its reader should know.
    struct Findings {
        var problems: [PackageProblem] = []
        /// Entries, folders without a word about them aside.
        var files = 0
        /// Bytes of all files, as announced.
        var unpackedBytes: Int64 = 0
        /// Entries that are said to be the same file as another.
        var hardLinks = 0
        /// Files whose contents can't be whole, named in `problems`.
        var damaged: Set<String> = []
    }

    private enum Element {
        case other, xar, toc, file, name, type, data, offset, length, size, attribute
    }

    /// A file whose element is open.
    private struct File {
        var path: [UInt8] = []
        var hasName = false
        var isDirectory = false
        var attributes = 0
        var data: TableExtents.Extent?
        var unknownForm: String?
    }

    private static let tagLimit = 1024
    private static let textLimit = 1 << 16

    private let limits: PackageLimits
    private var findings = Findings()
    private var extents: TableExtents
    private var elements: [Element] = []
    private var files: [File] = []
    private var entries = 0
    private var pathBytes = 0
    private var isBase64 = false
    private var hasBegun = false
    /// The text since the last tag, or the tag that is open.
    private var pending: [UInt8] = []
    private var isInTag = false

    /// - Parameter heapBytes: bytes of the archive behind the table.
    init(limits: PackageLimits, heapBytes: Int64) {
        self.limits = limits
        extents = TableExtents(heapBytes: heapBytes)
    }

    /// - Throws: `PackageError` where the table is none, or would cost too much to read.
    func scan(_ bytes: UnsafeRawBufferPointer) throws {
        guard let base = bytes.baseAddress else { return }
        // UTF-16 and a name that ends before its end both show by it.
        guard memchr(base, 0, bytes.count) == nil else { throw Self.malformed("a NUL") }
        var start = 0
        while start < bytes.count {
            let wanted = isInTag ? UInt8(ascii: ">") : UInt8(ascii: "<")
            let found = memchr(base + start, Int32(wanted), bytes.count - start)
            let end = found.map { base.distance(to: UnsafeRawPointer($0)) } ?? bytes.count
            pending.append(contentsOf: bytes[start..<end])
            guard pending.count <= (isInTag ? Self.tagLimit : Self.textLimit) else {
                throw Self.malformed(isInTag ? "an overlong tag" : "an overlong text")
            }
            guard found != nil else { return }
            if isInTag { try close(tag: pending) } else { try take(text: pending) }
            pending.removeAll(keepingCapacity: true)
            isInTag.toggle()
            start = end + 1
        }
    }

    /// What was found, once all of the table was seen.
    func finish() throws -> Findings {
        guard !isInTag, elements.isEmpty, hasBegun else { throw Self.malformed("no end") }
        let checked = extents.check()
        findings.problems += checked.problems
        findings.damaged.formUnion(checked.damaged)
        return findings
    }

    private static func malformed(_ what: String) -> PackageError {
        PackageError(
            .readable,
            "its table of contents holds what no tool writes (\(what)); build it again")
    }

    // MARK: Tags

    private func close(tag: [UInt8]) throws {
        guard let first = tag.first else { throw Self.malformed("an empty tag") }
        switch first {
        case UInt8(ascii: "!"): throw Self.malformed("a declaration or comment")
        case UInt8(ascii: "?"): try begin(with: tag)
        case UInt8(ascii: "/"): try end()
        default: try start(tag)
        }
        hasBegun = true
    }

    /// `<?xml version="1.0" encoding="UTF-8"?>`, at the beginning only.
    private func begin(with tag: [UInt8]) throws {
        let text = String(decoding: tag, as: UTF8.self).lowercased()
        guard !hasBegun, text.hasPrefix(scalars: "?xml "), text.hasSuffix(scalars: "?") else {
            throw Self.malformed("an instruction")
        }
        if text.contains(scalars: "encoding"), !text.contains(scalars: "\"utf-8\""),
            !text.contains(scalars: "'utf-8'")
        {
            throw Self.malformed("an encoding other than UTF-8")
        }
    }

    private func start(_ tag: [UInt8]) throws {
        guard !tag.contains(UInt8(ascii: "&")), !tag.contains(UInt8(ascii: "<")),
            tag.count(where: { $0 == UInt8(ascii: "\"") }) % 2 == 0,
            tag.count(where: { $0 == UInt8(ascii: "'") }) % 2 == 0
        else { throw Self.malformed("an attribute with markup") }
        let isEmpty = tag.last == UInt8(ascii: "/")
        let nameEnd =
            tag.firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: "/") } ?? tag.endIndex
        let colon = tag[..<nameEnd].firstIndex(of: UInt8(ascii: ":"))
        let name = tag[(colon.map { $0 + 1 } ?? 0)..<nameEnd]
        let element = try self.element(name, attributes: tag[nameEnd...])
        guard elements.count < limits.depth + 8 else {
            throw PackageError(
                .limits, "folders are nested more than \(limits.depth) deep; nest them less")
        }
        elements.append(element)
        if isEmpty { try end() }
    }

    /// What an element means where it stands.
    private func element(
        _ name: ArraySlice<UInt8>, attributes: ArraySlice<UInt8>
    ) throws -> Element {
        func isNamed(_ text: StaticString) -> Bool {
            text.utf8CodeUnitCount == name.count
                && name.withUnsafeBytes { memcmp($0.baseAddress!, text.utf8Start, name.count) == 0 }
        }
        guard !name.isEmpty else { throw Self.malformed("a tag without a name") }
        switch elements.last {
        // libarchive would put the folder's path in front of each piece of such a name.
        case .name: throw Self.malformed("a name with elements in it")
        case nil: return isNamed("xar") ? .xar : .other
        case .xar: return isNamed("toc") ? .toc : .other
        case .toc: return isNamed("file") ? try beginFile() : .other
        case .file:
            if isNamed("file") { return try beginFile() }
            if isNamed("name") { return try beginName(attributes) }
            if isNamed("type") { return try beginType(attributes) }
            files[files.count - 1].attributes += 1
            if isNamed("data") {
                guard files[files.count - 1].data == nil else {
                    throw Self.malformed("a file with contents twice")
                }
                files[files.count - 1].data = TableExtents.Extent()
                return .data
            }
            if isNamed("ea") {
                // libarchive sorts a file's attributes by insertion.
                guard files[files.count - 1].attributes < 64 else {
                    throw Self.malformed("a file with more than 64 attributes")
                }
                return .attribute
            }
            return .other
        case .data, .attribute:
            if isNamed("encoding") { note(encoding: attributes) }
            guard elements.last == .data else { return .other }
            if isNamed("offset") { return .offset }
            if isNamed("length") { return .length }
            return isNamed("size") ? .size : .other
        default: return .other
        }
    }

    private func end() throws {
        guard let element = elements.popLast() else { throw Self.malformed("an end too many") }
        if element == .file { endFile() }
    }

    // MARK: Files

    private func beginFile() throws -> Element {
        entries += 1
        guard entries <= limits.entries else {
            throw PackageError(
                .limits,
                "the package has more than \(limits.entries) entries; "
                    + "put many small files into fewer larger ones")
        }
        files.append(File())
        return .file
    }

    /// Counts bytes of a path before they are kept.
    private func count(pathBytes count: Int) throws {
        pathBytes += count
        guard pathBytes <= limits.allPathBytes else {
            throw PackageError(
                .limits,
                "the paths of all entries together have more than \(limits.allPathBytes) "
                    + "bytes; shorten the names of folders")
        }
    }

    private func beginName(_ attributes: ArraySlice<UInt8>) throws -> Element {
        let parent = files.dropLast().last?.path
        guard !files[files.count - 1].hasName else {
            throw Self.malformed("a file with two names")
        }
        files[files.count - 1].hasName = true
        if let parent {
            // Counted here: an empty `<name/>` has no text, so `take(text:)` is never called for it.
            try count(pathBytes: parent.count + 1)
            files[files.count - 1].path = parent + [UInt8(ascii: "/")]
        }
        let text = String(decoding: attributes, as: UTF8.self)
        isBase64 = text.contains(scalars: "enctype") && text.contains(scalars: "base64")
        return .name
    }

    private func beginType(_ attributes: ArraySlice<UInt8>) throws -> Element {
        guard !attributes.isEmpty else { return .type }
        let text = String(decoding: attributes, as: UTF8.self)
        guard text.contains(scalars: "link"), !text.contains(scalars: "original") else {
            return .type
        }
        findings.hardLinks += 1
        // libarchive compares each with all.
        guard findings.hardLinks <= 1000 else {
            throw PackageError(
                .kinds, "hard links are not taken, and there are over 1000; store the files twice")
        }
        return .type
    }

    private func note(encoding attributes: ArraySlice<UInt8>) {
        let text = String(decoding: attributes, as: UTF8.self)
        let known = ["application/octet-stream", "application/x-gzip", "application/x-bzip2"]
        let isKnown = known.contains {
            text.contains(scalars: "\"\($0)\"") || text.contains(scalars: "'\($0)'")
        }
        guard !isKnown else { return }
        files[files.count - 1].unknownForm = text.trimmingCharacters(in: .whitespaces)
    }

    private func endFile() {
        guard let file = files.popLast() else { return }
        let path = String(decoding: file.path, as: UTF8.self)
        if !file.isDirectory || file.attributes > 0 { findings.files += 1 }
        if let form = file.unknownForm {
            // Reading xz may take any amount of memory, and libarchive sets no limit to it.
            report(
                path, .readable,
                "its contents are compressed in another way than gzip or bzip2 (\(form.printable));"
                    + " build the package again with gzip")
            findings.damaged.insert(path)
        }
        if var extent = file.data {
            extent.path = path
            let sum = findings.unpackedBytes.addingReportingOverflow(extent.size ?? 0)
            findings.unpackedBytes = sum.overflow ? .max : sum.partialValue
            extents.add(extent)
        }
    }

    private func report(_ path: String, _ rule: PackageProblem.Rule, _ advice: String) {
        guard findings.problems.count < PackageRules.problemLimit else { return }
        findings.problems.append(PackageProblem(path: path, rule: rule, advice: advice))
    }

    // MARK: Text

    private func take(text: [UInt8]) throws {
        guard let element = elements.last, let file = files.indices.last else {
            hasBegun = hasBegun || !text.isEmpty
            return
        }
        switch element {
        case .name:
            guard
                let name = isBase64 ? Data(base64Encoded: Data(text)).map(Array.init) : plain(text)
            else { throw Self.malformed("a name that can't be decoded") }
            try count(pathBytes: name.count)
            files[file].path += name
            if name.contains(0) {
                report(
                    String(decoding: files[file].path, as: UTF8.self), .paths,
                    "the name holds a NUL; rename the file")
            }
        case .type:
            // libarchive takes any beginning of a type's name for it.
            files[file].isDirectory = !text.isEmpty && Array("directory".utf8).starts(with: text)
        case .offset: files[file].data?.offset = TableExtents.number(text)
        case .length: files[file].data?.length = TableExtents.number(text)
        case .size: files[file].data?.size = TableExtents.number(text)
        default: break
        }
    }

    /// Text with the entities of XML resolved; nil where it holds others.
    private func plain(_ text: [UInt8]) -> [UInt8]? {
        guard text.contains(UInt8(ascii: "&")) else { return text }
        let named: [String: Unicode.Scalar] = [
            "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
        ]
        var result: [UInt8] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<start]
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")) else { return nil }
            let name = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
            let number =
                name.dropping(prefix: "#x").map { UInt32($0, radix: 16) }
                ?? name.dropping(prefix: "#").map { UInt32($0) } ?? nil
            guard let scalar = named[name] ?? number.flatMap(Unicode.Scalar.init) else {
                return nil
            }
            result += Array(String(Character(scalar)).utf8)
            rest = rest[(end + 1)...]
        }
        return result + rest
    }
}
