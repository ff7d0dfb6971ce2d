import CStoreXML
import Foundation

/// Reads XML with expat, one tag or text after the other.
///
///     let reader = MarkupReader(file: file)
///     while let event = try reader.next() { … }
///
/// Comments and instructions are passed over. A document type ends the reading before anything
/// of it is looked at, so there is nothing that expands, and nothing that is fetched (XXE); what a
/// tag and a text may cost is limited. What one piece of the file gives is in memory, 64 KB.
package final class MarkupReader {
    /// An event with the place where it stood.
    private struct LocatedEvent {
        let event: MarkupEvent
        let line: Int
        let position: Int
    }

    /// So many bytes are given to expat at a time.
    private static let pieceBytes = 64 << 10

    private let limits: MarkupLimits
    private let read: () throws -> [UInt8]
    private let parser: XML_Parser
    /// What was read and not handed out.
    private var events: ArraySlice<LocatedEvent> = []
    private var text: [UInt8] = []
    private var open: [String] = []
    private var failure: MarkupError?
    private var hasEnded = false
    /// How many bytes expat was given.
    private var given = 0
    /// Where what expat has told of ends; the rest is a token that is not whole.
    private var told = 0

    /// The line of what was handed out last, counted from 1.
    package private(set) var line = 1
    /// The byte at which what was handed out last begins.
    package private(set) var position = 0

    /// - Parameter read: gives the next bytes of the document; none at its end.
    package init(limits: MarkupLimits = MarkupLimits(), read: @escaping () throws -> [UInt8]) {
        guard let parser = XML_ParserCreate(nil) else { preconditionFailure("no memory for expat") }
        self.limits = limits
        self.read = read
        self.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        // Beside refusing document types: nothing expands to more than it is.
        let isLimited = XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, 1.1) != 0
        let isEarly =
            XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, 1 << 20) != 0
        precondition(isLimited && isEarly, "expat lacks its protection against entities")
        setHandlers()
    }

    deinit {
        XML_ParserFree(parser)
    }

    package convenience init(limits: MarkupLimits = MarkupLimits(), bytes: [UInt8]) {
        var rest: [UInt8]? = bytes
        self.init(limits: limits) { rest.take() ?? [] }
    }

    /// - Parameter file: open for reading; closed by its owner.
    package convenience init(limits: MarkupLimits = MarkupLimits(), file: FileHandle) {
        self.init(limits: limits) { try file.read(upToCount: 1 << 16).map(Array.init) ?? [] }
    }

    /// What comes next; nil behind the last element.
    ///
    /// - Throws: `MarkupError`, after which there is nothing more to read; or what reading
    ///   the bytes throws.
    package func next() throws -> MarkupEvent? {
        while true {
            if let placed = events.popFirst() {
                line = placed.line
                position = placed.position
                return placed.event
            }
            if let failure {
                line = failure.line
                throw failure
            }
            guard !hasEnded else { return nil }
            try readPiece()
        }
    }

    private func readPiece() throws {
        let bytes = try read()
        hasEnded = bytes.isEmpty
        if bytes.isEmpty { parse([]) }
        var rest = bytes[...]
        while !rest.isEmpty, failure == nil {
            parse(rest.prefix(Self.pieceBytes))
            rest = rest.dropFirst(Self.pieceBytes)
        }
    }

    private func parse(_ bytes: ArraySlice<UInt8>) {
        given += bytes.count
        guard given <= limits.bytes else {
            return fail("the file has more than \(limits.bytes >> 20) MB; split it")
        }
        let status = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { buffer in
                XML_Parse(parser, buffer.baseAddress, Int32(buffer.count), bytes.isEmpty ? 1 : 0)
            }
        }
        guard status == XML_STATUS_OK else {
            failure =
                failure
                ?? MarkupError(
                    XML_GetErrorCode(parser), line: currentLine, open: open.last)
            return
        }
        // expat gathers a token until it is whole, however long it is.
        if given - told > limits.tokenBytes + Self.pieceBytes { failTooLong() }
    }

    private var currentLine: Int { Int(XML_GetCurrentLineNumber(parser)) }

    private func failTooLong() {
        fail("a tag, a comment or an instruction has more than \(limits.tokenBytes >> 10) KB")
    }

    /// Ends the reading; what was read before is still handed out.
    private func fail(_ problem: String) {
        guard failure == nil else { return }
        failure = MarkupError(line: currentLine, problem)
        _ = XML_StopParser(parser, XML_Bool(0))
    }

    // MARK: What expat tells

    private func setHandlers() {
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                MarkupReader.from(context).begin(name, attributes)
            }, { context, _ in MarkupReader.from(context).end() })
        XML_SetCharacterDataHandler(parser) { context, bytes, count in
            MarkupReader.from(context).add(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            MarkupReader.from(context).fail(
                "document types such as <!DOCTYPE are not read; take it out")
        }
        // What is passed over is told of too, so that it is known to be whole.
        XML_SetDefaultHandlerExpand(parser) { context, _, _ in
            MarkupReader.from(context).note()
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MarkupReader {
        Unmanaged<MarkupReader>.fromOpaque(context!).takeUnretainedValue()
    }

    /// A token is whole.
    private func note() {
        let count = Int(XML_GetCurrentByteCount(parser))
        if count > limits.tokenBytes { failTooLong() }
        told = Int(XML_GetCurrentByteIndex(parser)) + count
    }

    private func begin(
        _ name: UnsafePointer<XML_Char>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
    ) {
        note()
        // expat tells of what is left of a token after it was stopped.
        guard failure == nil, let name else { return }
        let element = String(cString: name)
        guard open.count < limits.depth else {
            return fail("elements are nested more than \(limits.depth) deep; nest them less")
        }
        var fields: [(name: String, value: String)] = []
        var place = attributes
        while let name = place?[0], let value = place?[1] {
            fields.append((String(cString: name), String(cString: value)))
            place = place?.advanced(by: 2)
            guard fields.count <= limits.attributes else {
                return fail("a tag has more than \(limits.attributes) attributes")
            }
        }
        flushText()
        open.append(element)
        add(.start(MarkupTag(name: element, attributes: fields, line: currentLine)))
    }

    private func end() {
        note()
        guard failure == nil, let name = open.popLast() else { return }
        flushText()
        add(.end(name: name))
    }

    private func add(_ characters: UnsafeBufferPointer<XML_Char>) {
        note()
        guard failure == nil else { return }
        guard text.count + characters.count <= limits.textBytes else {
            return fail("this text has more than \(limits.textBytes) bytes; shorten it")
        }
        text.append(contentsOf: UnsafeRawBufferPointer(characters))
    }

    private func flushText() {
        guard !text.isEmpty else { return }
        add(.text(String(decoding: text, as: UTF8.self)))
        text.removeAll(keepingCapacity: true)
    }

    private func add(_ event: MarkupEvent) {
        events.append(
            LocatedEvent(
                event: event, line: currentLine,
                position: Int(XML_GetCurrentByteIndex(parser))))
    }
}
