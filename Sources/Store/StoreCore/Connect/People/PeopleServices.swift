/// Everything about who uses Connect, over one database.
package struct PeopleServices: Sendable {
    package let sessions: ConnectSessionService
    package let firstOperator: FirstOperatorService
    package let persons: PersonService
    package let teams: TeamService
    package let members: MemberService
    package let invitations: InvitationService
    package let staff: StaffService
    package let agreements: AgreementService
    package let keys: TeamKeyService
    package let audit: AuditService
    package let passwordResets: PasswordResetService

    package init(
        database: any ShopDatabase, vault: any CredentialVault,
        makeKeyPair: @escaping @Sendable () throws -> APIKeyPair,
        clock: any StoreClock
    ) throws {
        let throttle = SignInThrottle(database: database, vault: vault, clock: clock)
        sessions = try ConnectSessionService(
            database: database, vault: vault, throttle: throttle, clock: clock)
        firstOperator = FirstOperatorService(database: database, vault: vault, clock: clock)
        persons = PersonService(
            database: database, vault: vault, sessions: sessions, clock: clock)
        teams = TeamService(database: database, vault: vault, clock: clock)
        members = MemberService(database: database, clock: clock)
        invitations = InvitationService(
            database: database, vault: vault, sessions: sessions, clock: clock)
        staff = StaffService(database: database, clock: clock)
        agreements = AgreementService(database: database, clock: clock)
        keys = TeamKeyService(database: database, clock: clock, makePair: makeKeyPair)
        audit = AuditService(database: database)
        passwordResets = PasswordResetService(
            database: database, vault: vault, throttle: throttle, clock: clock)
    }
}
