// README.md shows this file from the next line on; a test compares them.
import StoreKit

func buy(_ identifier: String) async throws {
    guard let product = try await Product.products(for: [identifier]).first else { return }
    if case .success(.verified(let bought)) = try await product.purchase() {
        // Deliver what was bought, then:
        await bought.finish()
    }
}
