import Foundation
import StoreKernel
import StoreMetadata

/// A piece of a feed, from which both of its forms are written: elements of Atom, and the JSON
/// that the App Store makes of them, where each text is a `label`.
struct FeedNode: Sendable {
    let name: String
    var text: String?
    var attributes: [(name: String, value: String)] = []
    var children: [FeedNode] = []

    init(_ name: String, _ text: String? = nil, _ attributes: [(name: String, value: String)] = [])
    {
        self.name = name
        self.text = text
        self.attributes = attributes
    }

    init(_ name: String, children: [FeedNode]) {
        self.name = name
        self.children = children
    }

    // MARK: JSON

    /// - Parameter lists: names that are lists however often they occur.
    func json(lists: Set<String> = []) -> ScriptJSON {
        var members: [(name: String, value: ScriptJSON)] = []
        for (index, child) in children.enumerated() {
            guard !children[..<index].contains(where: { $0.name == child.name }) else { continue }
            let alike = children.filter { $0.name == child.name }.map { $0.json() }
            let isList = alike.count > 1 || lists.contains(child.name)
            members.append((child.name, isList ? .list(alike) : alike[0]))
        }
        if let text { members.append(("label", .text(text))) }
        if !attributes.isEmpty {
            members.append(("attributes", .object(attributes.map { ($0.name, .text($0.value)) })))
        }
        return .object(members)
    }

    /// The whole feed.
    var jsonDocument: [UInt8] {
        // The App Store makes no list of a single entry, which clients trip over.
        ScriptJSON.object([(name, json(lists: ["entry"]))]).bytes
    }

    // MARK: XML

    /// The whole feed.
    func markup() throws -> Data {
        var data = Data()
        var writer = MarkupWriter { data.append($0) }
        try write(
            to: &writer,
            adding: [
                ("xmlns:im", "http://itunes.apple.com/rss"),
                ("xmlns", "http://www.w3.org/2005/Atom"),
            ])
        try writer.finish()
        return data
    }

    private func write(
        to writer: inout MarkupWriter, adding more: [(name: String, value: String)] = []
    ) throws {
        guard !children.isEmpty else {
            return try writer.text(name, text ?? "", more + attributes)
        }
        try writer.begin(name, more + attributes)
        for child in children { try child.write(to: &writer) }
        try writer.end()
    }
}
