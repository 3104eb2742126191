// swift-tools-version: 6.2
import Glibc
import PackageDescription

/// The modules by layer: each is the directory of this name in Sources. A module may import only those of its row, so
/// the compiler enforces the layers. Sources/README.md describes them.
let suites = ["Race", "NBA", "Bikes", "Wordle", "Nodes"]
let layers = ["Command", "Output", "Terminal", "Server", "HTTP", "Store", "JSON", "System"]
let modules: [(path: String, needs: [String])] =
  [
    ("Base/System", ["CLibraries"]),
    ("Data/JSON", ["CLibraries", "System"]),
    ("Data/Store", ["System", "CLibraries"]),
    ("Web/HTTP", ["JSON", "System", "CLibraries"]),
    ("Web/Server", ["HTTP", "Store", "System"]),
    ("Shell/Terminal", ["System"]),
    ("Shell/Output", ["Terminal", "JSON", "System"]),
    ("Shell/Command", ["Output", "Terminal", "Server", "HTTP", "Store", "JSON", "System"]),
    ("Tools", layers),
  ] + suites.map { ("Suites/\($0)", layers) }

/// The last component of a path.
func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

/// Each job of the compiler would index the standard library for editors, which takes a fifth of a build.
let lightIndex = SwiftSetting.unsafeFlags(["-index-ignore-system-modules"], .when(configuration: .debug))

let strict: [SwiftSetting] = [
  lightIndex,
  .swiftLanguageMode(.v6), .strictMemorySafety(), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // The regex engine is a third of a small binary; what is not imported is not used by accident.
  .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
]

func exists(_ pattern: String) -> Bool {
  var found = glob_t()
  defer { globfree(&found) }
  return glob(pattern, 0, nil, &found) == 0
}

/// Two one-line linker scripts that name the static libstdc++ and libgcc: with the shared ones `hw --version` takes
/// 1.40 ms instead of 0.94. Where an archive is missing, the program is linked with the shared libraries.
let hasArchives = ["libstdc++.a", "libgcc_eh.a"].allSatisfy { archive in
  exists("/usr/lib/gcc/*/*/\(archive)") || exists("/usr/lib64/gcc/*/*/\(archive)")
}
let link = "\(Context.packageDirectory)/Sources/Base/CLibraries/link"

/// How the released program is linked: position independent (0.06 ms), and all symbols bound before `main`, after which
/// the table of their addresses is read-only. `-B` is where clang finds its linker: the script `ld.lld` starts that of
/// the toolchain without the run path that the package manager adds. Unused sections and symbol names are dropped.
let lean =
  ["-static-stdlib", "-use-ld=lld", "-Xclang-linker", "-B\(link)"]
  + ["--gc-sections", "--no-export-dynamic", "-s", "-z", "now", "-z", "relro"].flatMap { ["-Xlinker", $0] }
  + (hasArchives ? ["-L\(link)"] : [])

func target(_ path: String, needs: [String]) -> Target {
  .target(
    name: name(path), dependencies: needs.map { .init(stringLiteral: $0) }, path: "Sources/\(path)",
    swiftSettings: strict)
}

func tests(_ path: String, needs: [String], data: [String] = []) -> Target {
  .testTarget(
    name: "\(name(path))Tests", dependencies: (needs + ["TestSupport"]).map { .init(stringLiteral: $0) },
    path: "Tests/\(path)Tests", exclude: data, swiftSettings: [lightIndex])
}

/// Whether the package has no tests but the mutation drivers: for long runs `Tests/torture/run` sets the variable, and
/// builds them with optimization. The tests would get the program's link options, so the program has none then.
let isTorture = Context.environment["HW_TORTURE"] != nil
let torture = Target.testTarget(
  name: "TortureTests",
  dependencies: (["hw", "TestSupport", "Tools"] + layers + suites).map { .init(stringLiteral: $0) },
  path: "Tests/torture/Mutation", swiftSettings: [lightIndex])
let program: [Target] = [
  .target(
    name: "CLibraries", path: "Sources/Base/CLibraries", exclude: ["link"],
    cSettings: [
      .unsafeFlags(
        ["-fstack-protector-strong", "-D_FORTIFY_SOURCE=2"], .when(configuration: .release))
    ]),
  .executableTarget(
    name: "hw",
    dependencies: modules.map { .init(stringLiteral: name($0.path)) },
    swiftSettings: strict,
    linkerSettings: isTorture
      ? [] : [.unsafeFlags(lean, .when(platforms: [.linux], configuration: .release))]),
]

/// The modules whose tests compare texts in a directory `recorded`.
let recorded: Set = [
  "Bikes", "Command", "HTTP", "JSON", "NBA", "Nodes", "Output", "Race", "Server", "Store", "Terminal",
  "Wordle",
]

/// Doubles of what is outside a module: clocks, services, directories, a person at a prompt.
let support = Target.target(
  name: "TestSupport", dependencies: ["Command", "HTTP", "Server", "Store", "Terminal", "System"],
  path: "Tests/TestSupport", swiftSettings: [lightIndex])

let ordinaryTests: [Target] =
  modules.filter { $0.path != "Tools" }.map {
    tests(
      $0.path, needs: [name($0.path)] + $0.needs,
      data: recorded.contains(name($0.path)) ? ["recorded"] : [])
  } + [
    // Runs the whole program in the process of the tests.
    tests("Program", needs: ["hw", "Tools"] + layers + suites, data: ["recorded"]),
    // Runs the built program from outside, and checks rules about all commands and sources.
    tests("EndToEnd", needs: ["hw", "Tools"] + layers + suites),
  ]

let package = Package(
  name: "hw",
  products: [.executable(name: "hw", targets: ["hw"])],
  targets: program
    + modules.map { target($0.path, needs: $0.needs) }
    + [support, torture] + (isTorture ? [] : ordinaryTests)
)
