import Foundation
import StoreTestSupport
import Testing

@testable import StoreCommands

/// Programs of Swift as commands of `openstore intercept run`.
@Suite struct SwiftProgramTests {
    private static let elf = "\u{7F}ELF"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func program(_ content: String) throws -> URL {
        let file = try folder.write("program", content)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file
    }

    @Test(arguments: [
        (elf + "\0libFoundationNetworking.so\0", true), (elf + "$s20FoundationNetworking", true),
        (elf + "\0libFoundation.so\0libcurl.so.4", false),
        ("#!/bin/sh FoundationNetworking", false),
        (elf, false), ("", false),
    ])
    func `a program of Swift is known by the networking that it uses`(
        _ content: String, _ isOne: Bool
    ) throws {
        let file = try program(content)
        #expect((SwiftProgram(file.path, searchPath: nil) != nil) == isOne)
        let path = "/nowhere:\(folder.url.path)"
        #expect((SwiftProgram("program", searchPath: path) != nil) == isOne)
        #expect(SwiftProgram("program", searchPath: "/nowhere") == nil)
    }

    @Test func `what to do is said with the root's path, until the system trusts it`() throws {
        let file = try program(Self.elf + "FoundationNetworking")
        let root = try folder.write("it's root.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n").path
        let system = try folder.write("roots.crt", "-----BEGIN CERTIFICATE-----\nBBBB\n").path
        let program = try #require(SwiftProgram(file.path, searchPath: nil))
        let advice = try #require(program.advice(root: root, system: system))
        #expect(advice.contains("trusts the roots of the system only"))
        #expect(advice.contains(shellWord(root)))
        #expect(advice.contains(file.path))
        #expect(program.advice(root: root, system: folder.file("none").path) != nil)
        _ = try folder.write("roots.crt", "BBBB\n-----BEGIN CERTIFICATE-----\nAAAA\n")
        #expect(program.advice(root: root, system: system) == nil)
    }
}
