/// All commands: groups, in them nouns, and the commands of each.
///
/// A command is known once it stands here. Helps, completions, man pages and the reference of
/// commands are made from this tree.
package enum CommandTree {
    static let groups: [CommandGroup] = [
        runStore, tryOut, getApps, signIn, apps, sellInApps, sellHere, review, customers, team,
        help,
    ]

    static let nouns: [CommandNoun] = groups.flatMap(\.nouns)
    static let commands: [any Command.Type] = nouns.flatMap(\.commands)

    private static let getApps = CommandGroup(
        "Get apps",
        [
            .init(
                "Install apps from a store, and bring them up to date.",
                [CommandNoun(InstallCommand.self), CommandNoun(UpdateCommand.self)]),
            .init(
                "Remove installed apps; list them.",
                [CommandNoun(UninstallCommand.self), CommandNoun(ListCommand.self)]),
        ])

    private static let runStore = CommandGroup(
        "Run a store",
        [
            .init(CommandNoun(ServeCommand.self)),
            .init(CommandNoun(ConfigurationCommand.self)),
            .init(CommandNoun(DoctorCommand.self)),
            .init(
                "Back up a running store; restore a backup.",
                [CommandNoun(BackupCommand.self), CommandNoun(RestoreCommand.self)]),
            .init(
                CommandNoun(
                    "database", "Copy a running store to another database.",
                    [DatabaseCopyCommand.self])),
            .init(
                CommandNoun(
                    "certificate", "The certificates that the store signs with.",
                    [CertificateList.self, CertificateRotate.self, CertificateRevoke.self])),
            .init(
                "Make an operator; let somebody set a new password.",
                [
                    CommandNoun("operator", "Who operates the store.", [OperatorCreate.self]),
                    CommandNoun(
                        "password", "Let somebody set a new password.",
                        [PasswordResetCommand.self]),
                ]),
        ])

    private static let tryOut = CommandGroup(
        "Try out",
        [
            .init(CommandNoun(DemoCommand.self)),
            .init("Run a command with a store of its own.", [CommandNoun(TestCommand.self)]),
            .init(
                CommandNoun(
                    "intercept", "Have programs talk to a store instead of Apple's servers.",
                    [InterceptRun.self, InterceptEnvironment.self])),
            .init(
                "Sandbox testers: how they buy, what they bought, clocks.",
                [
                    CommandNoun(
                        "tester", "Sandbox testers: how they buy, and what they have bought.",
                        [
                            TesterList.self, TesterShow.self, TesterCreate.self,
                            TesterUpdate.self, TesterDelete.self, TesterClear.self,
                            TesterPurchases.self, TesterRefund.self,
                        ]),
                    CommandNoun(
                        "sandbox", "Clocks of testers, which you advance.",
                        [
                            SandboxClockList.self, SandboxClockCreate.self,
                            SandboxClockAdvance.self, SandboxClockDelete.self,
                        ]),
                ]),
            .init(
                CommandNoun(
                    "account", "Who is signed in on this device, for all apps of a store.",
                    [AccountShow.self, AccountSignIn.self, AccountSignOut.self])),
        ])

    private static let signIn = CommandGroup(
        "Sign in",
        [
            .init(
                "Sign in to Connect, for the commands on this device.",
                [
                    CommandNoun(Login.self), CommandNoun(Logout.self), CommandNoun(WhoAmI.self),
                ]),
            .init(
                CommandNoun(
                    "api-key", "Keys with which programs use the API.",
                    [APIKeyList.self, APIKeyCreate.self, APIKeyRevoke.self])),
            .init("Send any request to the API.", [CommandNoun(APICommand.self)]),
        ])

    private static let apps = CommandGroup(
        "Apps",
        [
            .init(
                "Apps, their versions, and the binaries of these.",
                [
                    CommandNoun(
                        "app", "Apps and their versions.",
                        [
                            AppList.self, AppShow.self, AppCreate.self, AppUpdate.self,
                            AppDelete.self, AppVersionList.self, AppVersionShow.self,
                            AppVersionCreate.self, AppVersionUpdate.self, AppVersionDelete.self,
                            AppVersionRelease.self, AppVersionRemove.self, AppVersionReturn.self,
                        ]),
                    CommandNoun(
                        "build", "Binaries of an app's versions.",
                        [
                            BuildList.self, BuildShow.self, BuildUpload.self, BuildCreate.self,
                        ]),
                ]),
            .init(
                "What identifies an app, and tells it its store.",
                [
                    CommandNoun(
                        "bundle-id", "Bundle identifiers, and what they may use.",
                        [
                            BundleIdentifierList.self, BundleIdentifierShow.self,
                            BundleIdentifierCreate.self, BundleIdentifierUpdate.self,
                            BundleIdentifierDelete.self,
                        ]),
                    CommandNoun(
                        "profile", "Provisioning profiles, which tell an app its store.",
                        [
                            ProfileList.self, ProfileShow.self, ProfileCreate.self,
                            ProfileRenew.self, ProfileDelete.self,
                        ]),
                ]),
            .init(
                CommandNoun(
                    "notification", "What an app's server is told about purchases.",
                    [
                        NotificationList.self, NotificationShow.self, NotificationResend.self,
                        NotificationTest.self,
                    ])),
            .init(
                "Check receipts; the secret that servers check them with.",
                [
                    CommandNoun("receipt", "Receipts of apps.", [ReceiptVerify.self]),
                    CommandNoun(
                        "shared-secret",
                        "The secret with which a server has receipts verified.",
                        [SharedSecretShow.self, SharedSecretCreate.self]),
                ]),
        ])

    private static let sellInApps = CommandGroup(
        "Sell in apps",
        [
            .init(
                CommandNoun(
                    "catalog", "Import products from a .storekit file.",
                    [CatalogImport.self])),
            .init(
                "In-app purchases, and what they cost.",
                [
                    CommandNoun(
                        "product", "In-app purchases: their texts, and whether they are sold.",
                        [
                            ProductList.self, ProductShow.self, ProductCreate.self,
                            ProductUpdate.self, ProductDelete.self, ProductScreenshot.self,
                            ProductImportCommand.self, ProductExportCommand.self,
                            ProductRemove.self,
                            ProductReturn.self, ProductTakeDown.self, ProductReinstate.self,
                        ]),
                    CommandNoun(
                        "price", "What in-app purchases cost.",
                        [PriceShow.self, PriceSet.self, PriceTiers.self]),
                ]),
            .init(
                CommandNoun(
                    "subscription-group", "Groups of an app's subscriptions.",
                    [
                        SubscriptionGroupList.self, SubscriptionGroupShow.self,
                        SubscriptionGroupCreate.self, SubscriptionGroupUpdate.self,
                        SubscriptionGroupDelete.self,
                    ])),
            .init(
                CommandNoun(
                    "introductory-offer", "Introductory offers of subscriptions.",
                    [
                        IntroductoryOfferList.self, IntroductoryOfferCreate.self,
                        IntroductoryOfferDelete.self,
                    ])),
            .init(
                CommandNoun(
                    "content", "Content that the store hosts for a product.",
                    [
                        ContentList.self, ContentInit.self, ContentBuild.self,
                        ContentValidate.self, ContentInspect.self, ContentUnpack.self,
                        ContentHost.self, ContentUnhost.self, ContentUpload.self,

                        ContentCleanUp.self,
                    ])),
            .init(
                CommandNoun(
                    "submission", "What is submitted for review.",
                    [
                        SubmissionList.self, SubmissionShow.self, SubmissionCreate.self,
                        SubmissionWithdraw.self,
                    ])),
            .init(
                "Codes that give a product; consent to a higher price.",
                [
                    CommandNoun(
                        "offer-code", "Codes that give a product for nothing.",
                        [OfferCodeCreate.self]),
                    CommandNoun(
                        "price-consent", "Ask customers whether they agree to a higher price.",
                        [PriceConsentRequest.self]),
                ]),
        ])

    private static let sellHere = CommandGroup(
        "Sell here",
        [
            .init(
                CommandNoun(
                    "item", "Items that customers browse: books, songs, films, apps.",
                    [
                        ItemList.self, ItemShow.self, ItemCreate.self, ItemUpdate.self,
                        ItemImportCommand.self, ItemMediaCommand.self, ItemPublish.self,
                        ItemRemove.self, ItemSalesCommand.self, ItemRefund.self,
                    ])),
            .init(
                CommandNoun(
                    "customer-review", "What customers think of items.",
                    [
                        CustomerReviewList.self, CustomerReviewRespond.self,
                        CustomerReviewPublish.self, CustomerReviewReject.self,
                    ])),
            .init(
                CommandNoun(
                    "affiliate", "Who earns a share of sales from their links.",
                    [
                        AffiliateList.self, AffiliateCreate.self, AffiliateUpdate.self,
                        AffiliateReportCommand.self,
                    ])),
            .init(
                "The feed of all items, and the partners who may fetch it.",
                [
                    CommandNoun(
                        "feed", "The feed of all items for partners.", [FeedExportCommand.self]),
                    CommandNoun(
                        "feed-partner", "Who may fetch the partner feed.",
                        [
                            FeedPartnerList.self, FeedPartnerCreate.self, FeedPartnerUpdate.self,
                            FeedPartnerResetPassword.self,
                        ]),
                ]),
        ])

    private static let review = CommandGroup(
        "Review",
        [
            .init(
                "Decide about submissions and messages to subscribers.",
                [
                    CommandNoun(
                        "review", "Decide what becomes of submissions.",
                        [
                            ReviewList.self, ReviewShow.self, ReviewClaim.self,
                            ReviewApprove.self, ReviewReject.self, ReviewAsk.self,
                        ]),
                    CommandNoun(
                        "message", "Decide what becomes of messages to subscribers.",
                        [MessageList.self, MessageApprove.self, MessageReject.self]),
                ])
        ])

    private static let customers = CommandGroup(
        "Customers",
        [
            .init(
                CommandNoun(
                    "customer", "Customers of the production store.",
                    [CustomerCreate.self, CustomerUpdate.self])),
            .init(
                "Purchases that wait for a decision; refunds.",
                [
                    CommandNoun(
                        "purchase", "Purchases that wait, and the right to use what was bought.",
                        [
                            PurchaseList.self, PurchaseApprove.self, PurchaseDecline.self,
                            PurchaseRevoke.self, PurchasePromote.self,
                        ]),
                    CommandNoun(
                        "refund", "Requests for refunds, and what becomes of them.",
                        [
                            RefundList.self, RefundRequestCommand.self, RefundApprove.self,
                            RefundDecline.self,
                            RefundReverse.self,
                        ]),
                ]),
            .init(
                CommandNoun(
                    "subscription", "What an account subscribes to.",
                    [
                        SubscriptionList.self, SubscriptionChangeProduct.self,
                        SubscriptionCancel.self, SubscriptionResume.self,
                    ])),
            .init(
                CommandNoun(
                    "family", "Families, who share what they buy.",
                    [FamilyList.self, FamilyAdd.self, FamilyRemove.self])),
        ])

    private static let team = CommandGroup(
        "Team",
        [
            .init(
                "Teams, their members, and who is invited.",
                [
                    CommandNoun(
                        "team", "Teams.", [TeamList.self, TeamCreate.self, TeamUpdate.self]),
                    CommandNoun(
                        "user", "The members of a team, and their roles.",
                        [UserList.self, UserInvite.self, UserUpdate.self, UserDelete.self]),
                    CommandNoun(
                        "invitation", "Invitations that nobody has accepted yet.",
                        [InvitationList.self, InvitationRevoke.self]),
                ]),
            .init(
                CommandNoun(
                    "agreement", "The agreements of a team, its bank account and tax form.",
                    [
                        AgreementList.self, AgreementShow.self, AgreementAccept.self,
                        AgreementTerminate.self, AgreementOffer.self, AgreementSetBank.self,
                        AgreementSetTax.self,
                    ])),
            .init(
                "What was sold; who changed what.",
                [
                    CommandNoun("sales", "Reports of sales.", [SalesReportCommand.self]),
                    CommandNoun("audit", "Who changed what.", [AuditList.self]),
                ]),
        ])

    private static let help = CommandGroup(
        "Help",
        [
            .init(
                "Explain commands and exit codes; complete words in a shell.",
                [CommandNoun(HelpCommand.self), CommandNoun(CompletionCommand.self)])
        ])
}
