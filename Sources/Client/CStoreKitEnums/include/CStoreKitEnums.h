#pragma once

// Apple's enums as C enums: only those are open to Swift, which makes
// `SKPaymentTransactionState(rawValue: 99)` succeed and `@unknown default` warn as it
// does on Apple's platforms. Raw values are Apple's.

#define STOREKIT_OPEN __attribute__((enum_extensibility(open)))
#define STOREKIT_CLOSED __attribute__((enum_extensibility(closed)))

enum STOREKIT_OPEN SKPaymentTransactionState : long;
typedef enum SKPaymentTransactionState SKPaymentTransactionState;
enum SKPaymentTransactionState : long {
    SKPaymentTransactionStatePurchasing = 0,
    SKPaymentTransactionStatePurchased = 1,
    SKPaymentTransactionStateFailed = 2,
    SKPaymentTransactionStateRestored = 3,
    SKPaymentTransactionStateDeferred = 4,
};

enum STOREKIT_CLOSED SKDownloadState : long;
typedef enum SKDownloadState SKDownloadState;
enum SKDownloadState : long {
    SKDownloadStateWaiting = 0,
    SKDownloadStateActive = 1,
    SKDownloadStatePaused = 2,
    SKDownloadStateFinished = 3,
    SKDownloadStateFailed = 4,
    SKDownloadStateCancelled = 5,
};

enum STOREKIT_CLOSED SKProductStorePromotionVisibility : long;
typedef enum SKProductStorePromotionVisibility SKProductStorePromotionVisibility;
enum SKProductStorePromotionVisibility : long {
    SKProductStorePromotionVisibilityDefault = 0,
    SKProductStorePromotionVisibilityShow = 1,
    SKProductStorePromotionVisibilityHide = 2,
};

enum STOREKIT_OPEN SKProductPeriodUnit : unsigned long;
typedef enum SKProductPeriodUnit SKProductPeriodUnit;
enum SKProductPeriodUnit : unsigned long {
    SKProductPeriodUnitDay = 0,
    SKProductPeriodUnitWeek = 1,
    SKProductPeriodUnitMonth = 2,
    SKProductPeriodUnitYear = 3,
};

enum STOREKIT_OPEN SKProductDiscountPaymentMode : unsigned long;
typedef enum SKProductDiscountPaymentMode SKProductDiscountPaymentMode;
enum SKProductDiscountPaymentMode : unsigned long {
    SKProductDiscountPaymentModePayAsYouGo = 0,
    SKProductDiscountPaymentModePayUpFront = 1,
    SKProductDiscountPaymentModeFreeTrial = 2,
};

enum STOREKIT_OPEN SKProductDiscountType : unsigned long;
typedef enum SKProductDiscountType SKProductDiscountType;
enum SKProductDiscountType : unsigned long {
    SKProductDiscountTypeIntroductory = 0,
    SKProductDiscountTypeSubscription = 1,
};

enum STOREKIT_OPEN SKErrorCode : long;
typedef enum SKErrorCode SKErrorCode;
enum SKErrorCode : long {
    SKErrorCodeUnknown = 0,
    SKErrorCodeClientInvalid = 1,
    SKErrorCodePaymentCancelled = 2,
    SKErrorCodePaymentInvalid = 3,
    SKErrorCodePaymentNotAllowed = 4,
    SKErrorCodeStoreProductNotAvailable = 5,
    SKErrorCodeCloudServicePermissionDenied = 6,
    SKErrorCodeCloudServiceNetworkConnectionFailed = 7,
    SKErrorCodeCloudServiceRevoked = 8,
    SKErrorCodePrivacyAcknowledgementRequired = 9,
    SKErrorCodeUnauthorizedRequestData = 10,
    SKErrorCodeInvalidOfferIdentifier = 11,
    SKErrorCodeInvalidSignature = 12,
    SKErrorCodeMissingOfferParams = 13,
    SKErrorCodeInvalidOfferPrice = 14,
    SKErrorCodeOverlayCancelled = 15,
    SKErrorCodeOverlayInvalidConfiguration = 16,
    SKErrorCodeOverlayTimeout = 17,
    SKErrorCodeIneligibleForOffer = 18,
    SKErrorCodeUnsupportedPlatform = 19,
    SKErrorCodeOverlayPresentedInBackgroundScene = 20,
    SKErrorCodePaymentMethodBindingConfigurationRequired = 21,
};
