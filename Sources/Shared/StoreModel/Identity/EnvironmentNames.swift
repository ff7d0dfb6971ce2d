/// How statements of a store name its environments.
package struct EnvironmentNames: Sendable, Hashable {
    /// `Sandbox`, or `Xcode` if the store is part of a test.
    package let sandbox: String

    package static let standard = EnvironmentNames(sandbox: StoreEnvironment.sandbox.rawValue)
    /// As Xcode's test store has it.
    package static let xcode = EnvironmentNames(sandbox: "Xcode")

    package func name(of environment: StoreEnvironment) -> String {
        switch environment {
        case .production: environment.rawValue
        case .sandbox: sandbox
        }
    }

    /// The environment that a statement of any store names; `nil` for a name of none.
    package static func environment(named name: String) -> StoreEnvironment? {
        name == xcode.sandbox ? .sandbox : StoreEnvironment(rawValue: name)
    }
}
