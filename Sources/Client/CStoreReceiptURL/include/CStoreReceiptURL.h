#pragma once

/// Whether Foundation's `Bundle.main.appStoreReceiptURL` gives this framework's URL in this
/// process. Where it doesn't, it gives nil, as Foundation on Linux does.
int cstore_receipt_url_is_installed(void);
