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
        let shop = Shop(database: database, clock: clock)
        let throttle = SignInThrottle(database: database, vault: vault, clock: clock)
        sessions = try ConnectSessionService(
            database: database, vault: vault, throttle: throttle, clock: clock)
        firstOperator = FirstOperatorService(shop: shop, vault: vault)
        persons = PersonService(shop: shop, vault: vault, sessions: sessions)
        teams = TeamService(shop: shop, vault: vault)
        members = MemberService(shop: shop)
        invitations = InvitationService(shop: shop, vault: vault, sessions: sessions)
        staff = StaffService(shop: shop)
        agreements = AgreementService(database: database, clock: clock)
        keys = TeamKeyService(shop: shop, makePair: makeKeyPair)
        audit = AuditService(shop: shop)
        passwordResets = PasswordResetService(shop: shop, vault: vault, throttle: throttle)
    }
}
