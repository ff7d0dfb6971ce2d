import Foundation

/// Looks through a cpio archive as it is inflated.
///
/// libarchive looks for the next header where one is not in its place, and holds names
/// and targets of links whole, however long they say they are. Here all has to be in its
/// place, and short.
final class PayloadScanner {
    private enum State {
        case header
        case name(length: Int, padding: Int)
        /// Contents and their padding.
        case contents(Int64)
        /// Behind the entry that ends the archive.
        case end
    }

    private enum Form {
        /// POSIX.1-1997: octal digits.
        case odc
        /// SVR4: hexadecimal digits, and all parts padded to four bytes.
        case newc

        var length: Int { self == .odc ? 76 : 110 }
    }

    private static let trailer = Array("TRAILER!!!".utf8)

    private let limits: PackageLimits
    private let report: (PackageProblem) -> Void
    private var state = State.header
    private var pending: [UInt8] = []
    private var contents: Int64 = 0
    private var entries = 0
    private var padding = 0

    init(limits: PackageLimits, report: @escaping (PackageProblem) -> Void) {
        self.limits = limits
        self.report = report
    }

    /// - Throws: `PackageError` where the archive lies of its lengths.
    func scan(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch state {
            case .header:
                take(from: &rest, upTo: pending.count < 6 ? 6 : try form().length)
                guard pending.count >= 6, pending.count == (try form().length) else { continue }
                try readHeader()
            case .name(let length, let padding):
                take(from: &rest, upTo: length + padding)
                guard pending.count == length + padding else { continue }
                try readName(length)
            case .contents(let left):
                let count = min(left, Int64(rest.count))
                rest = rest.dropFirst(Int(count))
                state = count == left ? .header : .contents(left - count)
            case .end:
                // Archives are filled up to a whole block, at most of a tape.
                padding += rest.count
                guard padding <= 1 << 20, rest.allSatisfy({ $0 == 0 }) else {
                    throw Self.malformed("bytes behind its end")
                }
                return
            }
        }
    }

    /// - Throws: `PackageError` where the archive has no end.
    func finish() throws {
        guard case .end = state else { throw Self.malformed("no end") }
    }

    private static func malformed(_ what: String) -> PackageError {
        PackageError(
            .readable,
            "the component's payload is damaged, or lies of its lengths (\(what)); build it again",
            path: "Payload")
    }

    private func take(from rest: inout Slice<UnsafeRawBufferPointer>, upTo count: Int) {
        let piece = rest.prefix(count - pending.count)
        pending.append(contentsOf: piece)
        rest = rest.dropFirst(piece.count)
    }

    private func form() throws -> Form {
        switch pending.prefix(6) {
        case Array("070707".utf8)[...]: return .odc
        case Array("070701".utf8)[...], Array("070702".utf8)[...]: return .newc
        default:
            guard entries > 0 else { throw PayloadSource.unknownForm("is no cpio archive") }
            throw Self.malformed("entry \(entries + 1) has no header")
        }
    }

    private func readHeader() throws {
        let form = try form()
        func number(_ offset: Int, _ count: Int) throws -> Int64 {
            let digits = String(decoding: pending[offset..<(offset + count)], as: UTF8.self)
            guard digits.utf8.count == count, digits.utf8.first != UInt8(ascii: "-"),
                digits.utf8.first != UInt8(ascii: "+"),
                let number = Int64(digits, radix: form == .odc ? 8 : 16)
            else { throw Self.malformed("entry \(entries + 1) has numbers that are none") }
            return number
        }
        let mode = try form == .odc ? number(18, 6) : number(14, 8)
        let size = try form == .odc ? number(65, 11) : number(54, 8)
        let name = try form == .odc ? number(59, 6) : number(94, 8)
        entries += 1
        guard entries <= limits.entries + 2 else {
            throw PackageError(
                .limits,
                "the package has more than \(limits.entries) entries; "
                    + "put many small files into fewer larger ones")
        }
        // A name ends with a NUL, and may begin with the name of a folder that is left out.
        guard (1...(limits.pathBytes + 258)).contains(Int(name)) else {
            throw Self.malformed("entry \(entries) has a name of \(name) bytes")
        }
        guard mode & 0o170000 != 0o120000 || size <= limits.pathBytes else {
            throw Self.malformed("entry \(entries) is a link to a path of \(size) bytes")
        }
        contents = form == .odc ? size : size + (4 - size % 4) % 4
        let padding = form == .odc ? 0 : (4 - (110 + Int(name)) % 4) % 4
        pending.removeAll(keepingCapacity: true)
        state = .name(length: Int(name), padding: padding)
    }

    private func readName(_ length: Int) throws {
        let name = pending.prefix(length)
        guard name.last == 0 else { throw Self.malformed("entry \(entries) has no name") }
        let text = name.dropLast()
        if text.contains(0) {
            report(
                PackageProblem(
                    path: String(decoding: text, as: UTF8.self), rule: .paths,
                    advice: "the name holds a NUL; rename the file"))
        }
        state = text == Self.trailer[...] ? .end : contents == 0 ? .header : .contents(contents)
        pending.removeAll(keepingCapacity: true)
    }
}
