/// What services work on: the shop's database, and its clock.
///
/// ```swift
/// try await shop.write(as: actor, requiring: .manageAffiliates) { work in
///     let added = try work.affiliates.insert(affiliate)
///     try work.note("affiliate.create", on: added.token, of: nil)
///     return added
/// }
/// ```
package struct Shop: Sendable {
    package let database: any ShopDatabase
    package let clock: any StoreClock

    package init(database: any ShopDatabase, clock: any StoreClock) {
        self.database = database
        self.clock = clock
    }

    /// Reads a consistent snapshot.
    ///
    /// - Parameter permission: the permission that the actor needs. Nil: everybody may do it.
    /// - Throws: `ConnectRefusal` for an actor who may not.
    package func read<Result: Sendable>(
        as actor: ConnectActor = .nobody, requiring permission: ConnectPermission? = nil,
        _ body: @escaping @Sendable (UnitOfWork) throws -> Result
    ) async throws -> Result {
        if let permission { try actor.require(permission) }
        // Here: what the clock shows may depend on the task.
        let (now, storeTime) = (clock.now(), clock.storeTime())
        return try await database.read {
            try body(UnitOfWork($0, actor: actor, now: now, storeTime: storeTime))
        }
    }

    /// The same at the time of a customer.
    package func read<Result: Sendable>(
        for customer: TimedCustomer,
        _ body: @escaping @Sendable (UnitOfWork) throws -> Result
    ) async throws -> Result {
        try await read { try body($0.at(customer)) }
    }

    /// Changes something, all of it or nothing: when it returns, what was written is on disk; when it
    /// throws, nothing was written.
    ///
    /// - Parameters:
    ///   - permission: the permission that the actor needs. Nil: everybody may do it.
    ///   - body: may run again, where another transaction gets into its way.
    /// - Throws: `ConnectRefusal` for an actor who may not.
    package func write<Result: Sendable>(
        as actor: ConnectActor = .nobody, requiring permission: ConnectPermission? = nil,
        _ body: @escaping @Sendable (UnitOfWork) throws -> Result
    ) async throws -> Result {
        if let permission { try actor.require(permission) }
        let (now, storeTime) = (clock.now(), clock.storeTime())
        return try await database.write {
            try body(UnitOfWork($0, actor: actor, now: now, storeTime: storeTime))
        }
    }

    /// The same at the time of a customer.
    package func write<Result: Sendable>(
        for customer: TimedCustomer, as actor: ConnectActor = .nobody,
        _ body: @escaping @Sendable (UnitOfWork) throws -> Result
    ) async throws -> Result {
        try await write(as: actor) { try body($0.at(customer)) }
    }
}
