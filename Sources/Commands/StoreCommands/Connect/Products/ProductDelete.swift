/// `openstore product delete`
enum ProductDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "delete"],
        summary: "Delete an in-app purchase or a subscription that is not on sale.",
        discussion: "Who owns it goes on to have it. Its identifier is never given again.",
        arguments: [.product], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let product = try await connect.product()
        try await connect.api.delete(product.path)
        connect.show.done(
            id: product.number, "\(connect.arguments.argument(0)) is deleted.")
    }
}
