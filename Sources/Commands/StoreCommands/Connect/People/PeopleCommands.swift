/// The commands about people: sessions, teams, members, agreements, keys.
enum PeopleCommands {
    static let all: [any Command.Type] = [
        Login.self, Logout.self, WhoAmI.self, OperatorCreate.self, TeamList.self,
        TeamCreate.self, TeamRename.self, UserList.self, UserInvite.self, UserUpdate.self,
        UserRemove.self, InvitationList.self, InvitationRevoke.self, AgreementList.self,
        AgreementShow.self, AgreementAccept.self, AgreementTerminate.self, AgreementOffer.self,
        AgreementSetBank.self, AgreementSetTax.self, KeyList.self, KeyCreate.self,
        KeyRevoke.self, AuditList.self,
    ]
}
