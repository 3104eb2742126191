// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every folder of Sources is a module, and this table is the house plan: a module may import only what stands in
/// its row, so the compiler keeps the floors apart.
let modules: [(name: String, needs: [String])] = [
  ("System", ["CLibraries"]),
  ("JSON", ["CLibraries", "System"]),
  ("Store", ["System", "CLibraries"]),
  ("HTTP", ["JSON", "System", "CLibraries"]),
  ("Server", ["HTTP", "Store", "System"]),
  ("Terminal", ["System"]),
  ("Output", ["Terminal", "JSON", "System"]),
  ("Command", ["Output", "Terminal", "Server", "HTTP", "Store", "JSON", "System"]),
  ("Wordle", ["Command", "Output", "Terminal", "Server", "HTTP", "Store", "JSON", "System"]),
  ("Nodes", ["Command", "Output", "Terminal", "Server", "HTTP", "Store", "JSON", "System"]),
  ("Toolbox", ["Command", "Output", "Terminal", "Server", "HTTP", "Store", "JSON", "System"]),
]

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The Swift runtime is linked statically. Of what it drags in, libstdc++ and libgcc_s cost more start-up time than
/// all of hw: `Sources/CLibraries/link` holds two one-line linker scripts that name their archives instead. Where an
/// archive is missing the folder stays off the link path and the build succeeds the ordinary way.
let archives = ["/usr/lib/gcc", "/usr/lib64/gcc"].flatMap { root in
  (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? [])
    .filter { $0.hasSuffix("/libstdc++.a") }
}
let linkFolder = archives.isEmpty ? [] : ["-L\(Context.packageDirectory)/Sources/CLibraries/link"]

let package = Package(
  name: "hw",
  products: [.executable(name: "hw", targets: ["hw"])],
  targets: [
    .target(name: "CLibraries", exclude: ["link"]),
    .executableTarget(
      name: "hw",
      dependencies: modules.map { .init(stringLiteral: $0.name) },
      swiftSettings: strict,
      linkerSettings: [
        .unsafeFlags(
          ["-static-stdlib"] + linkFolder + ["-Xlinker", "--gc-sections", "-Xlinker", "-s"],
          .when(platforms: [.linux], configuration: .release))
      ]),
  ]
    + modules.map { module in
      .target(
        name: module.name,
        dependencies: module.needs.map { .init(stringLiteral: $0) },
        swiftSettings: strict)
    }
    + modules.map(\.name).filter { module in
      FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests/\(module)Tests")
    }
    .map { name in
      .testTarget(name: "\(name)Tests", dependencies: [.init(stringLiteral: name)])
    } + [
      // Drives the built program from outside, and holds its table to its promises.
      .testTarget(name: "EndToEndTests", dependencies: ["hw", "Command", "Output", "System"])
    ]
)
