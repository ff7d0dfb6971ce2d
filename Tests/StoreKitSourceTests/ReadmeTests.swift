import Foundation
import Testing

@Suite struct Readme {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: [
        ("README.md", "ReadmeExample.swift"),
        ("README.md", "ReadmeStoreKit2Example.swift"),
        ("Documentation/Start/Tutorial-FirstProduct.md", "TutorialExample.swift"),
    ])
    func `the code in the README and in the tutorial is code that compiles`(
        document: String, example: String
    ) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent(example)
        let source = try String(contentsOf: file, encoding: .utf8)
        let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
            .joined(separator: "\n")
        let text = try String(
            contentsOf: Self.root.appendingPathComponent(document), encoding: .utf8)
        #expect(text.contains("```swift\n\(code)"))
    }
}
