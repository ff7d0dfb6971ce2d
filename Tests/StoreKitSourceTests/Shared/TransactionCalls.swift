import StoreKit
import Testing

// Transactions, renewal information and app transactions, read as apps do. No store answers here:
// what needs a value of the store only has to compile, with Apple's types.

/// Samples name the framework's types like this, because others have a `Transaction` too.
private typealias Transaction = StoreKit.Transaction
private typealias RenewalInfo = StoreKit.Product.SubscriptionInfo.RenewalInfo
private typealias RenewalState = StoreKit.Product.SubscriptionInfo.RenewalState

private enum StoreError: Error { case failedVerification }

/// What nearly every app has.
private func checkVerified<Value>(_ result: VerificationResult<Value>) throws -> Value {
    switch result {
    case .unverified: throw StoreError.failedVerification
    case .verified(let safe): return safe
    }
}

extension VerificationResult {
    fileprivate var problem: String? {
        guard case .unverified(_, let error) = self else { return nil }
        switch error {
        case .revokedCertificate: return "revoked"
        case .invalidCertificateChain: return "chain"
        case .invalidDeviceVerification: return "device"
        case .invalidEncoding: return "encoding"
        case .invalidSignature: return "signature"
        case .missingRequiredProperties: return "properties"
        @unknown default: return "unknown"
        }
    }
}

/// What an app uploads to its own server.
private struct Upload {
    var signed: [String] = []
    var parts: [Data] = []
    var bindings: [(Data, UUID, Date)] = []

    mutating func add(_ result: VerificationResult<Transaction>) {
        signed.append(result.jwsRepresentation)
        parts += [result.headerData, result.payloadData, result.signatureData, result.signedData]
        bindings.append(
            (result.deviceVerification, result.deviceVerificationNonce, result.signedDate))
    }

    mutating func add(_ result: VerificationResult<RenewalInfo>) {
        signed.append(result.jwsRepresentation)
        parts += [result.headerData, result.payloadData, result.signatureData, result.signedData]
        bindings.append(
            (result.deviceVerification, result.deviceVerificationNonce, result.signedDate))
    }

    mutating func add(_ result: VerificationResult<AppTransaction>) {
        signed.append(result.jwsRepresentation)
        parts += [result.headerData, result.payloadData, result.signatureData, result.signedData]
        bindings.append(
            (result.deviceVerification, result.deviceVerificationNonce, result.signedDate))
    }

    mutating func add(_ status: SubscriptionStatus) {
        add(status.transaction)
        add(status.renewalInfo)
    }
}

/// An entitlement as apps keep it.
private struct Entitlement: Hashable, Identifiable {
    let id: UInt64
    let productID: String
    let level: Int
    let endsAt: Date?

    init?(_ status: Product.SubscriptionInfo.Status, level: Int, now: Date) throws {
        switch status.state {
        case .subscribed, .inGracePeriod: break
        case .expired, .inBillingRetryPeriod, .revoked: return nil
        default: return nil
        }
        let transaction = try checkVerified(status.transaction)
        guard transaction.revocationDate == nil, !transaction.isUpgraded else { return nil }
        let renewal: SubscriptionRenewalInfo = try status.renewalInfo.payloadValue
        let end = renewal.gracePeriodExpirationDate ?? transaction.expirationDate
        guard end.map({ $0 > now }) ?? true else { return nil }
        id = transaction.id
        productID = transaction.productID
        self.level = level
        endsAt = end
    }
}

private enum Reading {
    static func purchase(_ transaction: Transaction) -> [AnyHashable?] {
        let id: UInt64 = transaction.id
        let originalID: UInt64 = transaction.originalID
        let webOrder: String? = transaction.webOrderLineItemID
        let product: (String, Product.ProductType, Int) = (
            transaction.productID, transaction.productType, transaction.purchasedQuantity
        )
        let group: String? = transaction.subscriptionGroupID
        let dates: (Date, Date, Date?, Date) = (
            transaction.purchaseDate, transaction.originalPurchaseDate,
            transaction.expirationDate, transaction.signedDate
        )
        let app: (String, UUID?, AppStore.Environment, String) = (
            transaction.appBundleID, transaction.appAccountToken, transaction.environment,
            transaction.appTransactionID
        )
        let price: (Decimal?, Locale.Currency?) = (transaction.price, transaction.currency)
        let storefront: Storefront = transaction.storefront
        let binding: (Data, UUID) = (
            transaction.deviceVerification, transaction.deviceVerificationNonce
        )
        return [
            id, originalID, webOrder, product.0, product.1, product.2, group, dates.0, dates.1,
            dates.2, dates.3, app.0, app.1, app.2, app.3, price.0, price.1, storefront.id,
            storefront.countryCode, storefront.currency, binding.0, binding.1,
            transaction.jsonRepresentation, transaction.debugDescription, transaction,
        ]
    }

    static func reasons(_ transaction: Transaction) -> [AnyHashable?] {
        let offer: Transaction.Offer? = transaction.offer
        let offerParts:
            (
                String?, Transaction.OfferType?, Transaction.Offer.PaymentMode?,
                Product.SubscriptionPeriod?
            ) = (offer?.id, offer?.type, offer?.paymentMode, offer?.period)
        let revocation: (Date?, Transaction.RevocationReason?) = (
            transaction.revocationDate, transaction.revocationReason
        )
        let type: Transaction.RevocationType? = transaction.revocationType
        let percentage: Decimal? = transaction.revocationPercentage
        let owner: Transaction.OwnershipType = transaction.ownershipType
        let reason: Transaction.Reason = transaction.reason
        let plan: Product.SubscriptionInfo.BillingPlanType? = transaction.billingPlanType
        let commitment: Transaction.CommitmentInfo? = transaction.commitmentInfo
        let periods: (UInt64?, UInt64?, Date?, Decimal?) = (
            commitment?.billingPeriodNumber, commitment?.totalBillingPeriods,
            commitment?.expirationDate, commitment?.price
        )
        let bundle: (String?, String?, String?, String?, UInt64?) = (
            transaction.bundleProductID, transaction.bundleSubscriptionGroupID,
            transaction.bundleTransactionID, transaction.bundleOriginalTransactionID,
            transaction.previousOriginalTransactionID
        )
        return [
            offer, offerParts.0, offerParts.1, offerParts.2, offerParts.3, revocation.0,
            revocation.1, type, percentage, owner, reason, plan, periods.0, periods.1, periods.2,
            periods.3, bundle.0, bundle.1, bundle.2, bundle.3, bundle.4, transaction.isUpgraded,
        ]
    }

    static func renewal(_ info: RenewalInfo) -> [AnyHashable?] {
        let original: UInt64 = info.originalTransactionID
        let products: (String, Bool, String?) = (
            info.currentProductID, info.willAutoRenew, info.autoRenewPreference
        )
        let end: RenewalInfo.ExpirationReason? = info.expirationReason
        let increase: RenewalInfo.PriceIncreaseStatus = info.priceIncreaseStatus
        let retry: (Bool, Date?) = (info.isInBillingRetry, info.gracePeriodExpirationDate)
        let offer: Transaction.Offer? = info.offer
        let dates: (Date, Date?, Date) = (
            info.recentSubscriptionStartDate, info.renewalDate, info.signedDate
        )
        let price: (Decimal?, Locale.Currency?) = (info.renewalPrice, info.currency)
        let winBack: [String] = info.eligibleWinBackOfferIDs
        let app: (AppStore.Environment, UUID?, String) = (
            info.environment, info.appAccountToken, info.appTransactionID
        )
        let commitment: RenewalInfo.CommitmentInfo? = info.commitmentInfo
        let next: (String?, Product.SubscriptionInfo.BillingPlanType?, Date?, Decimal?, Bool?) = (
            commitment?.autoRenewPreference, commitment?.renewalBillingPlanType,
            commitment?.renewalDate, commitment?.renewalPrice, commitment?.willAutoRenew
        )
        let bundle: (String?, String?, String?, Bool) = (
            info.bundleProductID, info.bundleSubscriptionGroupID,
            info.bundleOriginalTransactionID, info.willUnbundle
        )
        return [
            original, products.0, products.1, products.2, end, increase, retry.0, retry.1, offer,
            dates.0, dates.1, dates.2, price.0, price.1, winBack, app.0, app.1, app.2, next.0,
            next.1, next.2, next.3, next.4, info.renewalBillingPlanType, bundle.0, bundle.1,
            bundle.2, bundle.3, info.deviceVerification, info.deviceVerificationNonce,
            info.jsonRepresentation, info.debugDescription, info,
        ]
    }

    static func app(_ transaction: AppTransaction) -> [AnyHashable?] {
        let numbers: (UInt64?, UInt64?) = (transaction.appID, transaction.appVersionID)
        let versions: (String, String) = (transaction.appVersion, transaction.originalAppVersion)
        let dates: (Date, Date?, Date, Date?) = (
            transaction.originalPurchaseDate, transaction.preorderDate, transaction.signedDate,
            transaction.revocationDate
        )
        let platform: AppStore.Platform = transaction.originalPlatform
        let environment: AppStore.Environment = transaction.environment
        let store: AppTransaction.StoreType = transaction.storeType
        return [
            numbers.0, numbers.1, versions.0, versions.1, dates.0, dates.1, dates.2, dates.3,
            platform, environment, store, transaction.bundleID, transaction.appTransactionID,
            transaction.deviceVerification, transaction.deviceVerificationNonce,
            transaction.jsonRepresentation, transaction.debugDescription, transaction,
        ]
    }

    static func advanced(_ info: Transaction.AdvancedCommerceInfo) -> [AnyHashable?] {
        let amounts: [Decimal] = [info.estimatedTax, info.taxRate, info.taxExclusivePrice]
        let texts: [String?] = [
            info.requestReferenceID, info.taxCode, info.description, info.displayName,
        ]
        let period: Product.SubscriptionPeriod? = info.period
        let items = info.items.flatMap { item -> [AnyHashable?] in
            let refunds: [Transaction.AdvancedCommerceInfo.Refund]? = item.refunds
            let reasons: [Transaction.AdvancedCommerceInfo.Refund.Reason]? = refunds?.map(\.reason)
            let types: [Transaction.AdvancedCommerceInfo.Refund.RefundType]? = refunds?.map(\.type)
            let refunded: [AnyHashable?] = [
                reasons, types, refunds?.map(\.date), refunds?.map(\.amount), item.revocationDate,
            ]
            return refunded + details(item.details)
        }
        return [amounts, texts, period] + items
    }

    static func details(
        _ details: Transaction.AdvancedCommerceInfo.Item.Details
    ) -> [AnyHashable?] {
        let offer: Transaction.AdvancedCommerceInfo.Offer? = details.offer
        let partners: [Transaction.AdvancedCommerceInfo.Partner] = details.partners
        return [
            details.sku, details.displayName, details.description, details.price, offer?.price,
            offer?.period, offer?.periodCount, offer?.reason, partners.map(\.id),
            partners.map(\.name),
        ]
    }

    static func advanced(_ info: RenewalInfo.AdvancedCommerceInfo) -> [AnyHashable?] {
        let texts: [String] = [
            info.consistencyToken, info.requestReferenceID, info.taxCode, info.description,
            info.displayName,
        ]
        let period: Product.SubscriptionPeriod = info.period
        let increases = info.items.compactMap(\.priceIncreaseInfo)
        let statuses: [RenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo.Status] =
            increases.map(\.status)
        return [
            texts, period, statuses, increases.map(\.price), increases.map(\.dependentSKUs),
        ] + info.items.flatMap { details($0.details) }
    }

    @available(*, deprecated)
    static func older(
        _ transaction: Transaction, _ info: RenewalInfo, _ app: AppTransaction
    ) -> [String?] {
        let types: [Transaction.OfferType?] = [transaction.offerType, info.offerType]
        return [
            transaction.offerID, transaction.offerPaymentModeStringRepresentation,
            transaction.offerPeriodStringRepresentation,
            transaction.revocationTypeStringRepresentation,
            transaction.environmentStringRepresentation, transaction.reasonStringRepresentation,
            transaction.storefrontCountryCode, transaction.currencyCode, info.offerID,
            info.offerPaymentModeStringRepresentation, info.offerPeriodStringRepresentation,
            info.environmentStringRepresentation, info.currencyCode,
            app.originalPlatformStringRepresentation, app.storeTypeStringRepresentation,
        ] + types.map { $0?.localizedDescription }
    }
}

/// What a screen says when something went wrong.
private func sentence(_ error: any Error) -> String {
    switch error {
    case StoreKitError.userCancelled: return "cancelled"
    case let error as StoreKitError:
        switch error {
        case .unknown, .userCancelled, .notAvailableInStorefront, .notEntitled, .unsupported,
            .invalidPresentationContext:
            return error.errorDescription ?? ""
        case .networkError(let error): return "network \(error.code.rawValue)"
        case .systemError(let error): return "system \(error)"
        @unknown default: return "unknown"
        }
    case let error as Transaction.RefundRequestError:
        switch error {
        case .duplicateRequest, .failed, .ineligible: return error.localizedDescription
        @unknown default: return "unknown"
        }
    case let error as InvalidRequestError: return "\(error.code): \(error.message)"
    default: return error.localizedDescription
    }
}

@Suite struct TransactionCalls {
    @Test func `results of any type can be written, read and compared`() throws {
        let good: VerificationResult<String> = .verified("a")
        let bad: VerificationResult<String> = .unverified("a", .invalidSignature)
        #expect(try checkVerified(good) == "a" && good.problem == nil)
        #expect(bad.problem == "signature" && bad.unsafePayloadValue == "a" && good != bad)
        #expect(throws: VerificationResult<String>.VerificationError.invalidSignature) {
            try bad.payloadValue
        }
        #expect(throws: StoreError.self) { try checkVerified(bad) }
        #expect(Set([good, bad, good]).count == 2)
        #expect(bad.debugDescription.contains("invalidSignature"))
        let error: VerificationResult<Any>.VerificationError = .invalidEncoding
        let texts = [error.errorDescription, error.failureReason, error.recoverySuggestion]
        #expect(texts.allSatisfy { $0?.isEmpty == false } && error.helpAnchor == nil)
    }

    @Test func `errors of the store are caught by their type`() {
        let errors: [any Error] = [
            StoreKitError.userCancelled, StoreKitError.networkError(URLError(.timedOut)),
            StoreKitError.systemError(StoreError.failedVerification),
            StoreKitError.notAvailableInStorefront, Transaction.RefundRequestError.duplicateRequest,
        ]
        #expect(
            errors.map { sentence($0) } == [
                "cancelled", "network -1001", "system failedVerification",
                StoreKitError.notAvailableInStorefront.localizedDescription,
                Transaction.RefundRequestError.duplicateRequest.localizedDescription,
            ])
        #expect(StoreKitError.networkError(URLError(.timedOut)).recoverySuggestion != nil)
        #expect(Transaction.RefundRequestError.failed.failureReason != nil)
        let status: Transaction.RefundRequestStatus = .userCancelled
        #expect(status != .success)
    }

    @Test func `open sets are compared, and made of raw values`() {
        let environments: [AppStore.Environment] = [.production, .sandbox, .xcode]
        #expect(environments.map(\.rawValue) == ["Production", "Sandbox", "Xcode"])
        let platforms: [AppStore.Platform] = [.iOS, .macOS, .tvOS, .visionOS, .managed]
        #expect(platforms.map(\.rawValue) == ["iOS", "macOS", "tvOS", "visionOS", "MANAGED"])
        let owners: [Transaction.OwnershipType] = [.purchased, .familyShared, .assigned]
        #expect(owners.map(\.rawValue) == ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"])
        let reasons: [Transaction.RevocationReason] = [.other, .developerIssue, .upgradedToBundle]
        #expect(reasons.map(\.rawValue) == [0, 1, 2])
        let kinds: [Transaction.RevocationType] = [
            .familyRevocation, .fullRefund, .proratedRefund, .assignmentRevocation,
        ]
        #expect(Set(kinds).count == 4 && Transaction.Reason(rawValue: "RENEWAL") == .renewal)
        let offers: [Transaction.OfferType] = [.introductory, .promotional, .code, .winBack]
        #expect(offers.map(\.rawValue) == [1, 2, 3, 4])
        let modes: [Transaction.Offer.PaymentMode] = [
            .freeTrial, .payAsYouGo, .payUpFront, .oneTime,
        ]
        #expect(
            modes.map(\.rawValue) == ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"])
        let states: [SubscriptionRenewalState] = [
            .subscribed, .expired, .inBillingRetryPeriod, .inGracePeriod, .revoked,
        ]
        #expect(states.map(\.rawValue) == [1, 2, 3, 4, 5] && RenewalState(rawValue: 9) != .expired)
        #expect(states.map(\.localizedDescription).allSatisfy { !$0.isEmpty })
        let ends: [RenewalInfo.ExpirationReason] = [
            .autoRenewDisabled, .billingError, .didNotConsentToPriceIncrease,
            .productUnavailable, .unknown, .unbundled,
        ]
        #expect(ends.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
        let stores: [AppTransaction.StoreType] = [.consumer, .education, .enterprise]
        #expect(Set(stores).count == 3)
    }

    @Test func `values cross actors, and have identities`() {
        let values: [any (Hashable & Sendable).Type] = [
            Transaction.self, RenewalInfo.self, AppTransaction.self, SubscriptionStatus.self,
            Transaction.Offer.self, Transaction.CommitmentInfo.self,
            Transaction.AdvancedCommerceInfo.self, RenewalInfo.AdvancedCommerceInfo.self,
            VerificationResult<Transaction>.self, Transaction.RefundRequestError.self,
        ]
        let others: [any Sendable.Type] = [
            AppStore.self, Storefront.self, StoreKitError.self, InvalidRequestError.self,
        ]
        let identities: [any Identifiable.Type] = [Transaction.self, Storefront.self]
        let printed: [any CustomDebugStringConvertible.Type] = [
            Transaction.self, RenewalInfo.self, AppTransaction.self,
            VerificationResult<AppTransaction>.self,
        ]
        #expect(values.count + others.count + identities.count + printed.count == 20)
    }

    @Test func `advanced commerce has its open sets`() {
        typealias Info = Transaction.AdvancedCommerceInfo
        let offers: [Info.Offer.Reason] = [.acquisition, .retention, .winBack]
        let refunds: [Info.Refund.Reason] = [
            .legal, .modifyItems, .unintended, .unfulfilled, .unsatisfied, .other,
        ]
        let types: [Info.Refund.RefundType] = [.custom, .proRated, .full]
        let statuses: [RenewalInfo.AdvancedCommerceInfo.Item.PriceIncreaseInfo.Status] = [
            .pending, .accepted, .scheduled,
        ]
        let counts = [
            Set(offers).count, Set(refunds).count, Set(types).count, Set(statuses).count,
        ]
        #expect(counts == [3, 6, 3, 3])
    }
}
