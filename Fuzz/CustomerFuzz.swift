import Foundation
import StoreSecurity

@testable import StoreCommands
@testable import StoreKitTest
@testable import StoreModel
@testable import StoreWire

/// Answers a command that a customer gives, and reads the `.storekit` file of a test. The first byte
/// says what is asked for; the others are the store's answers, see `FuzzStore`, or the file (`k`).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCustomer(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(bytes, count)
    let question = input.byte()
    let answers = input
    wait {
        do { try await ask(question, answers) } catch {
            let failure = customerFailure(error, "http://127.0.0.1")
            demand(!"\(failure)".isEmpty, "an error says nothing")
        }
    }
    return 0
}

private func ask(_ question: UInt8, _ answers: Input) async throws {
    let api = CustomerAPI(
        baseURL: "http://127.0.0.1", device: "a", transport: FuzzStore(answers))
    let session = SampleAnswers.session
    switch question {
    case UInt8(ascii: "k"):
        var file = answers
        let data = file.all()
        let configuration = try StoreKitConfiguration(data: data)
        _ = try FileSettings.settings(in: data, configuration)
        _ = FileSettings.passedOver(configuration)
    case UInt8(ascii: "s"):
        _ = try await api.signIn(SignInRequest(email: "a", password: "b"))
    case UInt8(ascii: "d"):
        let answer = try await api.delivery(of: 1, session: session)
        _ = try? DeviceProfile(text: answer.profile, source: "fuzz")
    default:
        for app in try await api.apps(named: "a", session: session) {
            let bought = try await api.buy(app, session: session)
            Glance.frame(
                bought.name, [("Publisher", bought.publisher), ("Price", bought.displayPrice)])
            _ = await api.picture(bought.artwork ?? "")
        }
    }
}
