import StoreKit

/// Launches of an app that uses StoreKit 2.
enum StoreKit2Launch {
    static func run(_ mode: LaunchApp.Mode) async {
        do {
            switch mode {
            case .entitlements: await entitlements()
            case .loops:
                for _ in 0..<3 { Task { for await _ in Transaction.updates {} } }
                say("delivered \(try await Product.products(for: LaunchApp.identifiers).count)")
                return
            default:
                say("delivered \(try await Product.products(for: LaunchApp.identifiers).count)")
            }
            exit(0)
        } catch {
            say("failed \(error)")
            exit(1)
        }
    }

    private static func entitlements() async {
        let start = ContinuousClock.now
        var count = 0
        for await case .verified(_) in Transaction.currentEntitlements { count += 1 }
        let time = ContinuousClock.now - start
        say("delivered \(count)")
        say("microseconds \(Int(time / .microseconds(1)))")
    }
}
