import Foundation
import StoreModel
import StorePackage

/// `openstore content init`
enum ContentInit: Command {
    static let spec = CommandSpec(
        words: ["content", "init"], summary: "Make a folder for a product's content.",
        discussion: """
            The folder gets ContentInfo.plist with version 1.0, and Contents/, which the files of
            the content belong into. What exists is not overwritten.
            """,
        arguments: [
            .init(name: "PRODUCT_ID", help: "The product that the content is for."),
            .init(
                name: "DIR", help: "The folder; named after the product unless given.",
                isOptional: true),
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let text = arguments.argument(0)
        guard let productID = ProductID(text) else {
            throw UsageError(description: "PRODUCT_ID: \"\(text)\" is not a product identifier")
        }
        let folder = ParsedArguments.url(arguments.optionalArgument(1) ?? productID.text)
        try ContentFolder.create(at: folder, for: productID)
        output.line("\(folder.path): put the files into Contents/, then")
        output.line(
            "  openstore content build \(shellWord(folder.relativePath)) -o \(productID).pkg")
    }
}
