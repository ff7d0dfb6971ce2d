import StoreWire

extension StoreDevice {
    /// Writes down where an account's events stand before this device first gets something of the
    /// account's: what happens to that comes behind, and is heard also by the next launch.
    func noteEvents(of session: SessionAnswer, in journal: DeviceJournal) async {
        guard journal.cursor(of: session.email) == nil,
            let answer = try? await client.events(after: nil, wait: 0, session: session)
        else { return }
        try? journal.begin(DeviceJournal.Cursor(account: session.email, event: answer.cursor))
    }

    /// Whether the store has ended a session, which the device then forgets.
    func isOver(_ session: SessionAnswer, after error: any Error) -> Bool {
        guard let error = error as? WireError, error.code == .notSignedIn else { return false }
        sessions.clear(session)
        return sessions.session != session
    }
}
