import StoreDatabase

extension SQLError: StoreFailure {
    package var remedy: FailureRemedy? {
        switch code {
        case .busy, .closed, .outdated, .unreachable, .uncertain: .repeating
        case .text: .otherText
        case .constraint, .corrupt, .disk, .moved, .other, .row, .unfinished: nil
        }
    }

    package var isOfRows: Bool { [.constraint, .row, .text].contains(code) }

    package var isUncertain: Bool { code == .uncertain }
}
