import Foundation
import Testing

/// The articles of the documentation catalog show code of this folder.
@Suite struct Articles {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let names = [
        "StoreKit", "GettingStarted", "SellingYourFirstProduct", "DeliveringHostedContent",
        "TestingPurchasesInCI", "TestingPurchasesOnLinux", "SharingCodeBetweenIOSAndLinux",
        "WhatDiffersFromApples", "ShowingTheStore", "MovingFromTheOriginalAPI", "Subscriptions",
        "EntitlementsOffline",
    ]

    private func files(in folder: String, _ kind: String) throws -> [String: String] {
        let folder = Self.root.appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try names.filter { $0.hasSuffix(kind) }.reduce(into: [:]) { files, name in
            files[name] = try String(
                contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
    }

    private func article(_ name: String) throws -> String {
        let catalog = Self.root.appendingPathComponent("Sources/Client/StoreKit/StoreKit.docc")
        return try String(
            contentsOf: catalog.appendingPathComponent("\(name).md"), encoding: .utf8)
    }

    /// The blocks of one language, line by line.
    private func blocks(of language: String, in article: String) -> [[Substring]] {
        var blocks: [[Substring]] = []
        var block: [Substring]?
        for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```\(language)" {
                block = []
            } else if line == "```" {
                if let block { blocks.append(block) }
                block = nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    /// Whether the lines stand in a source, all indented by the same amount.
    private func contains(_ block: [Substring], _ source: String) -> Bool {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = block.first(where: { !$0.isEmpty }) else { return false }
        return lines.indices.contains { start in
            guard start + block.count <= lines.count, lines[start].hasSuffix(first) else {
                return false
            }
            let indent = lines[start].dropLast(first.count)
            guard indent.allSatisfy({ $0 == " " }) else { return false }
            return zip(block, lines[start...]).allSatisfy { $1 == ($0.isEmpty ? "" : indent + $0) }
        }
    }

    @Test(arguments: names)
    func `Swift code in an article is code that compiles`(_ name: String) throws {
        let sources = try [
            "Tests/StoreKitSourceTests/Documentation",
            "Tests/StoreKitSourceTests/Documentation/Manifest",
            "Tests/StoreKitTestTests/Documentation",
        ].flatMap { try files(in: $0, ".swift").values }
        for block in blocks(of: "swift", in: try article(name)) {
            #expect(
                sources.contains { contains(block, $0) },
                "\(name) has code that is in no source: \(block.joined(separator: "\n"))")
        }
    }

    @Test(arguments: [
        "CStoreKitEnums", "import FoundationNetworking", "as NSError", "#elseif os(macOS)",
        "XCTestCase",
    ])
    func `the page on source compatibility names what shows through`(_ words: String) throws {
        let page = Self.root.appendingPathComponent("Documentation/Apps/SourceCompatibility.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.split { $0.isWhitespace }.joined(separator: " ").contains(words))
    }

    @Test func `Swift code in doc comments is code that compiles`() throws {
        let sources = try files(in: "Tests/StoreKitSourceTests/Documentation", ".swift").values
        let folder = Self.root.appendingPathComponent("Sources/Client/StoreKit")
        let names = try #require(FileManager.default.enumerator(atPath: folder.path))
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        var count = 0
        for name in names {
            let text = try String(
                contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let comments = text.split(separator: "\n").map { line in
                line.drop { $0 == " " }
            }.filter { $0.hasPrefix("///") }.map { $0.dropFirst($0.hasPrefix("/// ") ? 4 : 3) }
            for block in blocks(of: "swift", in: comments.joined(separator: "\n")) {
                count += 1
                #expect(
                    sources.contains { contains(block, $0) },
                    "\(name) has code that is in no source: \(block.joined(separator: "\n"))")
            }
        }
        #expect(count >= 6)
    }

    @Test func `every article is there, has code or commands, and is linked`() throws {
        let landing = try article("StoreKit")
        for name in Self.names.dropFirst() {
            let text = try article(name)
            #expect(landing.contains("<doc:\(name)>"))
            #expect(text.contains("```swift\n") || text.contains("```sh ["))
        }
    }
}
