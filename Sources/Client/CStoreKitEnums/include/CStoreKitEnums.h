#pragma once

// Apple's enums as C enums: only those are open to Swift, which makes
// `SKPaymentTransactionState(rawValue: 99)` succeed and `@unknown default` warn as it
// does on Apple's platforms. Raw values are Apple's.

#define STOREKIT_OPEN __attribute__((enum_extensibility(open)))
#define STOREKIT_CLOSED __attribute__((enum_extensibility(closed)))

enum STOREKIT_OPEN SKPaymentTransactionState : long;
typedef enum SKPaymentTransactionState SKPaymentTransactionState;
/// Where a transaction stands.
enum SKPaymentTransactionState : long {
    /// On its way: the customer is asked, or the store.
    SKPaymentTransactionStatePurchasing = 0,
    /// Bought. Give the customer what it is for, then finish it.
    SKPaymentTransactionStatePurchased = 1,
    /// Not bought; the error says why. Finish it.
    SKPaymentTransactionStateFailed = 2,
    /// Bought earlier, and delivered once more. Finish it.
    SKPaymentTransactionStateRestored = 3,
    /// Waits for somebody else's approval. Can't be finished.
    SKPaymentTransactionStateDeferred = 4,
};

enum STOREKIT_CLOSED SKDownloadState : long;
typedef enum SKDownloadState SKDownloadState;
/// Where a download stands.
enum SKDownloadState : long {
    /// Not started yet.
    SKDownloadStateWaiting = 0,
    /// Under way.
    SKDownloadStateActive = 1,
    /// Stopped for a while; what was fetched is kept.
    SKDownloadStatePaused = 2,
    /// Complete, verified and unpacked.
    SKDownloadStateFinished = 3,
    /// Ended by an error. It can be started again, and goes on where it was.
    SKDownloadStateFailed = 4,
    /// Ended by the app; what was fetched is dropped.
    SKDownloadStateCancelled = 5,
};

enum STOREKIT_CLOSED SKProductStorePromotionVisibility : long;
typedef enum SKProductStorePromotionVisibility SKProductStorePromotionVisibility;
/// Whether this device shows the promotion of a product.
enum SKProductStorePromotionVisibility : long {
    /// As the publisher has set it.
    SKProductStorePromotionVisibilityDefault = 0,
    /// It shows it.
    SKProductStorePromotionVisibilityShow = 1,
    /// It does not show it.
    SKProductStorePromotionVisibilityHide = 2,
};

enum STOREKIT_OPEN SKProductPeriodUnit : unsigned long;
typedef enum SKProductPeriodUnit SKProductPeriodUnit;
/// The unit of a subscription period.
enum SKProductPeriodUnit : unsigned long {
    /// A day.
    SKProductPeriodUnitDay = 0,
    /// A week.
    SKProductPeriodUnitWeek = 1,
    /// A month.
    SKProductPeriodUnitMonth = 2,
    /// A year.
    SKProductPeriodUnitYear = 3,
};

enum STOREKIT_OPEN SKProductDiscountPaymentMode : unsigned long;
typedef enum SKProductDiscountPaymentMode SKProductDiscountPaymentMode;
/// How a reduced price is paid.
enum SKProductDiscountPaymentMode : unsigned long {
    /// The reduced price is paid for each period.
    SKProductDiscountPaymentModePayAsYouGo = 0,
    /// The reduced price is paid once, for all periods.
    SKProductDiscountPaymentModePayUpFront = 1,
    /// Nothing is paid.
    SKProductDiscountPaymentModeFreeTrial = 2,
};

enum STOREKIT_OPEN SKProductDiscountType : unsigned long;
typedef enum SKProductDiscountType SKProductDiscountType;
/// What makes a customer eligible for a reduced price.
enum SKProductDiscountType : unsigned long {
    /// The customer is new to the subscription group.
    SKProductDiscountTypeIntroductory = 0,
    /// The customer has or had the subscription: a promotional offer.
    SKProductDiscountTypeSubscription = 1,
};

enum STOREKIT_OPEN SKErrorCode : long;
typedef enum SKErrorCode SKErrorCode;
/// What went wrong, with Apple's raw values.
enum SKErrorCode : long {
    /// The cause is not known.
    SKErrorCodeUnknown = 0,
    /// The client may not do what it tried.
    SKErrorCodeClientInvalid = 1,
    /// The customer cancelled.
    SKErrorCodePaymentCancelled = 2,
    /// A parameter of the payment was not recognized.
    SKErrorCodePaymentInvalid = 3,
    /// The customer may not pay.
    SKErrorCodePaymentNotAllowed = 4,
    /// The product is not available in the storefront.
    SKErrorCodeStoreProductNotAvailable = 5,
    /// The customer has not allowed access to cloud services.
    SKErrorCodeCloudServicePermissionDenied = 6,
    /// The device could not reach the network.
    SKErrorCodeCloudServiceNetworkConnectionFailed = 7,
    /// The customer has revoked the permission to use this service.
    SKErrorCodeCloudServiceRevoked = 8,
    /// The customer has not yet acknowledged the privacy policy.
    SKErrorCodePrivacyAcknowledgementRequired = 9,
    /// The app uses a property that it has no entitlement for.
    SKErrorCodeUnauthorizedRequestData = 10,
    /// The offer's identifier is unknown or not active.
    SKErrorCodeInvalidOfferIdentifier = 11,
    /// The signature of a payment discount is not valid.
    SKErrorCodeInvalidSignature = 12,
    /// A parameter of a payment discount is missing.
    SKErrorCodeMissingOfferParams = 13,
    /// The price of the offer is not valid any more.
    SKErrorCodeInvalidOfferPrice = 14,
    /// The overlay was cancelled.
    SKErrorCodeOverlayCancelled = 15,
    /// The overlay's configuration is not valid.
    SKErrorCodeOverlayInvalidConfiguration = 16,
    /// The overlay took too long to load.
    SKErrorCodeOverlayTimeout = 17,
    /// The customer is not eligible for the offer.
    SKErrorCodeIneligibleForOffer = 18,
    /// The platform does not support the operation.
    SKErrorCodeUnsupportedPlatform = 19,
    /// The overlay was presented in a scene in the background.
    SKErrorCodeOverlayPresentedInBackgroundScene = 20,
    /// The binding of a payment method lacks its configuration.
    SKErrorCodePaymentMethodBindingConfigurationRequired = 21,
};
