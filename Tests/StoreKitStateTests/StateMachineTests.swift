import Testing

@Suite struct StateMachineTests {
}
