/// Every route of the portal below `/connect`, with who may call it.
///
/// This is the only list: the routes are made from it, the navigation asks it, and a test
/// walks it with every role. A subject adds its routes in a file of its own and its list here.
package enum PortalRouteTable {
    package static let routes: [PortalRoute] = [
        signIn,
        dashboard,
        apps,
        products,
        identifiers,
        profiles,
        sandbox,
        sales,
        refunds,
        review,
        content,
        account,
        users,
        invitations,
        agreements,
        keys,
        sharedSecrets,
        activity,
        teams,
        staff,
        passwords,
        items,
        customerReviews,
        itemSales,
        affiliates,
        feedPartners,
        sandboxClocks,
        notifications,
    ].flatMap(\.self)
}
