#pragma once

/// Whether Foundation's `Bundle.main.appStoreReceiptURL` gives this framework's URL in this
/// process. Where it doesn't, it gives nil, as Foundation on Linux does.
int cstore_receipt_url_is_installed(void);

/// Whether `isExcludedFromBackup` marks files and folders in this process. Where it doesn't,
/// setting it does nothing, as in Foundation on Linux.
int cstore_resource_values_are_installed(void);
