/// `openstore product delete`
enum ProductDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "delete"], summary: "Delete an in-app purchase that is not on sale.",
        discussion: "Who owns it goes on to have it. Its identifier is never given again.",
        arguments: [.product], options: [.app])

    static func run(_ connect: ConnectContext) async throws {
        let id = try await connect.productNumber()
        try await connect.api.delete("/v2/inAppPurchases/\(id)")
        connect.show.done(id: id, "\(connect.arguments.argument(0)) is deleted.")
    }
}
