import Foundation
import StoreCore
import StoreModel
import StoreWire

extension TransactionSigner {
    /// Signed renewal information of the subscription that a transaction belongs to.
    package func sign(
        _ information: RenewalInformation, of record: TransactionRecord
    ) throws -> String {
        try sign(payload(of: information, record))
    }

    /// What signed renewal information says.
    package func payload(
        of information: RenewalInformation, _ record: TransactionRecord
    ) -> RenewalPayload {
        let environment = record.entry.details.environment
        var payload = RenewalPayload(
            originalTransactionId: information.originalID, productId: information.product.text,
            autoRenewProductId: information.renewalProduct.text,
            autoRenewStatus: information.renews ? 1 : 0, environment: names.name(of: environment),
            signedDate: now.milliseconds,
            recentSubscriptionStartDate: information.start.milliseconds,
            renewalDate: information.renewalDate.milliseconds)
        // While it is active nothing has expired, also where it is known why it will.
        if information.status != 1 { payload.expirationIntent = information.intent?.rawValue }
        if information.isInRetry || information.intent == .billingError {
            payload.isInBillingRetryPeriod = information.isInRetry
        }
        payload.gracePeriodExpiresDate = information.graceEnd?.milliseconds
        payload.priceIncreaseStatus = information.priceIncrease?.rawValue
        payload.currency = information.renewalPrice?.currency
        payload.renewalPrice = information.renewalPrice?.thousandths
        if let offer = information.offer {
            payload.offerType = offer.kind.number
            payload.offerIdentifier = offer.identifier
            payload.offerDiscountType = offer.paymentMode.discountType
            payload.offerPeriod = offer.period.iso8601
        }
        payload.eligibleWinBackOfferIds = information.winBackOffers
        payload.appAccountToken = information.accountToken
        payload.appTransactionId = record.appTransaction.description
        return payload
    }
}
