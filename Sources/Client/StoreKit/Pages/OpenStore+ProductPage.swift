import StoreModel

extension OpenStore {
    /// Where the app's store is; an addition of OpenStoreKit.
    ///
    /// Its search API is below it, at `search` and `lookup`:
    ///
    /// ```swift
    /// let address = try OpenStore.address().appending(path: "search")
    ///     .appending(queryItems: [URLQueryItem(name: "term", value: "lighthouse")])
    /// ```
    ///
    /// - Throws: ``SKError/clientInvalid`` where the app has no usable profile.
    public static func address() throws -> URL {
        let device = try StoreDevice.current()
        guard let url = URL(string: device.profile.payload.baseURL) else {
            throw SKError(.clientInvalid, "The store's address in the profile is not a valid URL.")
        }
        return url
    }

    /// The web page of an item, for programs that show it without
    /// ``SKStoreProductViewController``; an addition of OpenStoreKit.
    ///
    /// ```swift
    /// let url = try await OpenStore.productPageURL(forItem: 1_234_567_890, affiliateToken: "ada")
    /// ```
    ///
    /// - Parameters:
    ///   - item: its number in the store.
    ///   - storefront: a country as ``SKStorefront/countryCode`` names it, or by its two letters;
    ///     nil for the one of the account that is signed in.
    ///   - affiliateToken: the token of the affiliate who is credited with what is bought there,
    ///     4 to 20 letters and digits. Another one is left out; the log says so.
    ///   - campaignToken: the token of the campaign that it is counted for, at most 40 bytes. A
    ///     longer one is left out; the log says so.
    /// - Throws: ``SKError/storeProductNotAvailable`` with the cause as underlying error.
    public static func productPageURL(
        forItem item: Int64, storefront: String? = nil, affiliateToken: String? = nil,
        campaignToken: String? = nil
    ) async throws -> URL {
        try await productPageURL(
            forItem: item, storefront: storefront, affiliateToken: affiliateToken,
            campaignToken: campaignToken, device: { try StoreDevice.current() })
    }

    static func productPageURL(
        forItem item: Int64, storefront: String?, affiliateToken: String?,
        campaignToken: String?, device: () throws -> StoreDevice
    ) async throws -> URL {
        do {
            var parameters: [String: Any] = [SKStoreProductParameterITunesItemIdentifier: item]
            parameters[SKStoreProductParameterAffiliateToken] = affiliateToken
            parameters[SKStoreProductParameterCampaignToken] = campaignToken
            let wanted = try ProductPageParameters(parameters)
            let device = try device()
            wanted.dropped.forEach(device.log)
            let lookup = StorePageLookup(device: device)
            let country = try storefront.map { code in
                guard let found = StoreModel.Storefront.named(code) else {
                    throw StorePageLookup.problem(
                        "The store has no storefront \(code); it is named by a country's two or "
                            + "three letters, such as JPN.")
                }
                return found
            }
            return try await lookup.item(
                wanted.item, in: country ?? lookup.storefront, referral: wanted.referral
            ).url
        } catch { throw SKError(unavailableBecause: error) }
    }
}

extension SKError {
    /// What an app hears whose item can't be shown.
    init(unavailableBecause cause: any Error) {
        self.init(
            .storeProductNotAvailable, "Cannot connect to iTunes Store", underlying: cause)
    }
}
