import Foundation
import System
import TestSupport

/// The built program as a server, ended with this value.
final class ServedProgram: @unchecked Sendable {
  let port: Int
  private let process = Foundation.Process()
  private let input = Foundation.Pipe()
  private let output = Foundation.Pipe()

  init(_ home: ScratchDirectory, options: [String]) throws {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    process.executableURL = folder.appending(path: "hw")
    // It ends with the command, and that ends when this process does, however that is.
    let command = ["sh", "-c", "echo $HW_URL; exec cat"]
    process.arguments =
      ["serve", "--listen", "127.0.0.1:0", "--samples", "--store", home.file("served")] + options + ["--"]
      + command
    process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = ""
    while !line.contains("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Failure(.defect, "the server does not start") }
      line += String(decoding: data, as: UTF8.self)
    }
    let digits = line.split(separator: "\n")[0].split(separator: ":").last?.prefix { $0.isNumber } ?? ""
    guard let port = Int(digits) else { throw Failure(.defect, "the server says no port: \(line)") }
    self.port = port
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  var isRunning: Bool { process.isRunning }

  var residentMegabytes: Int {
    let statm =
      (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)) ?? ""
    return (statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096 >> 20
  }
}
