import Foundation
import Testing

@testable import StoreKit

@Suite struct AppImageProfileTests {
    @Test(
        arguments: [
            ("/home/ada/Lamp.AppImage", "/tmp/.mount_x", "/tmp/.mount_x/usr/bin/lamp", "/home/ada"),
            // A program that the AppImage has started, which lies elsewhere.
            ("/home/ada/Lamp.AppImage", "/tmp/.mount_x", "/usr/bin/other", nil),
            ("/home/ada/Lamp.AppImage", "/tmp/.mount_x", "/tmp/.mount_xy/usr/bin/lamp", nil),
            ("Lamp.AppImage", "/tmp/.mount_x", "/tmp/.mount_x/usr/bin/lamp", nil),
            (nil, nil, "/usr/bin/lamp", nil),
        ] as [(String?, String?, String, String?)])
    func `the profile lies beside the AppImage of the program itself`(
        image: String?, mount: String?, program: String, folder: String?
    ) {
        var environment: [String: String] = [:]
        environment["APPIMAGE"] = image
        environment["APPDIR"] = mount
        let found = DeviceProfile.appImageFolder(
            of: URL(fileURLWithPath: program), environment)
        #expect(found?.path == folder)
    }
}
