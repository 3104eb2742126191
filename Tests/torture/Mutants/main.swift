import Foundation

/// Rewrites the package in the current directory, a scratch copy, and reports the mutants that no test notices.
struct Options {
  var count = 200
  var each = 8
  var seed: UInt64 = 1
  var jobs = 2
  var seconds = Double.infinity
  var modules: [String] = []
  var isContinued = false

  init(_ words: [String]) throws {
    var left = words[...]
    while let word = left.popFirst() {
      func value<Value>(_ read: (String) -> Value?) throws -> Value {
        guard let text = left.popFirst(), let value = read(text) else {
          throw Trouble(description: "\(word) needs a value")
        }
        return value
      }
      switch word {
      case "--count": count = try value { Int($0) }
      case "--each": each = try value { Int($0) }
      case "--seed": seed = try value { UInt64($0) }
      case "--jobs": jobs = try value { Int($0) }
      case "--seconds": seconds = try value { Double($0) }
      case "--module": modules.append(try value { $0 })
      case "--continue": isContinued = true
      default: throw Trouble(description: "unknown option '\(word)'")
      }
    }
  }
}

struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// So many of the candidates, from every module at least `each`, and no two at one place. Numbers are the most frequent
/// candidates and the least realistic faults: two of three are passed over.
func choose(_ candidates: [Mutant], _ count: Int, each: Int, _ random: inout SplitMix64) -> [Mutant] {
  var chosen: [Mutant] = []
  var taken: [String: [Range<Int>]] = [:]
  for (_, all) in Dictionary(grouping: candidates, by: \.module).sorted(by: { $0.key < $1.key }) {
    let share = max(each, count * all.count / candidates.count)
    var found = 0
    for mutant in all.shuffled(using: &random) where found < share {
      if mutant.kind == "literal", UInt.random(in: 0..<3, using: &random) != 0 { continue }
      if taken[mutant.file, default: []].contains(where: { $0.overlaps(mutant.extent) }) { continue }
      taken[mutant.file, default: []].append(mutant.extent)
      chosen.append(mutant)
      found += 1
    }
  }
  return chosen
}

/// So many of the mutants, shuffled. Every module has at least `each`, as far as it has so many: a share of a few says
/// nothing about a module.
func sample(_ mutants: [Mutant], _ count: Int, each: Int, _ random: inout SplitMix64) -> [Mutant] {
  var first: [Mutant] = []
  var rest: [Mutant] = []
  var taken: [String: Int] = [:]
  for mutant in mutants.shuffled(using: &random) {
    if taken[mutant.module, default: 0] < each {
      taken[mutant.module, default: 0] += 1
      first.append(mutant)
    } else {
      rest.append(mutant)
    }
  }
  return (first + rest.prefix(max(0, count - first.count))).shuffled(using: &random)
}

func report(_ results: [(number: Int, verdict: String, module: String, text: String)]) {
  print("module      mutants  noticed      %")
  func row(_ name: String, _ part: [(number: Int, verdict: String, module: String, text: String)]) {
    let noticed = part.count { $0.verdict == Trial.Verdict.noticed.rawValue }
    func right(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let share = part.isEmpty ? 0 : Double(1000 * noticed / part.count) / 10
    print(name + right("\(part.count)", 19 - name.count) + right("\(noticed)", 9) + right("\(share)", 7))
  }
  for (module, part) in Dictionary(grouping: results, by: \.module).sorted(by: { $0.key < $1.key }) {
    row(module, part)
  }
  row("all", results)
  for result in results.sorted(by: { $0.text < $1.text })
  where result.verdict != Trial.Verdict.noticed.rawValue {
    print("\(result.verdict) \(result.number): \(result.text)")
  }
}

// Tests send these signals; a shell and nohup have their background jobs ignore them.
for number in [SIGHUP, SIGINT, SIGQUIT] { signal(number, SIG_DFL) }

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  let start = Date()
  let root = FileManager.default.currentDirectoryPath
  let list = "\(root)/.build/mutants.tsv"
  let results = "\(root)/.build/mutants-results.tsv"
  var mutants: [Mutant]
  if options.isContinued {
    mutants = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map { line in
      let parts = line.split(separator: "\t").map(String.init)
      var mutant = Mutant(
        file: parts[2], module: parts[1], line: Int(parts[3]) ?? 0, function: 0...0, kind: parts[4],
        change: parts[5], edits: [])
      mutant.number = Int(parts[0]) ?? 0
      return mutant
    }
  } else {
    let sources = try Workshop.sources(of: root)
    let nextCase = CaseCollector.nextCases(in: Array(sources.values))
    let candidates = sources.sorted { $0.key < $1.key }.flatMap { file, text in
      Finder.mutants(
        in: text, file: file, module: String(Workshop.module(of: file).split(separator: "/").last ?? ""),
        nextCase: nextCase)
    }.filter { options.modules.isEmpty || options.modules.contains($0.module) }
    var random = SplitMix64(state: options.seed)
    // A third does not compile.
    let chosen = choose(candidates, options.count * 3 / 2, each: options.each * 3 / 2, &random)
    note("\(candidates.count) candidates, \(chosen.count) chosen with seed \(options.seed)")
    var workshop = Workshop(root, sources, chosen)
    try workshop.build()
    mutants = workshop.mutants
    for name in ["", "-reached", "-results"] {
      try? FileManager.default.removeItem(atPath: "\(root)/.build/mutants\(name).tsv")
    }
    try mutants.map {
      "\($0.number)\t\($0.module)\t\($0.file)\t\($0.line)\t\($0.kind)\t\($0.change.replacing("\t", with: " "))\n"
    }.joined().write(toFile: list, atomically: true, encoding: .utf8)
  }
  let workers = try (1...options.jobs).map { try Worker("\(root)/.build/mutants-\($0)", of: root) }
  let trial = Trial(root, workers) { Date().timeIntervalSince(start) > options.seconds }
  var random = SplitMix64(state: options.seed)
  try trial.run(sample(mutants, options.count, each: options.each, &random))
  let lines = try String(contentsOfFile: results, encoding: .utf8).split(separator: "\n")
  report(
    lines.map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return (Int(parts[0]) ?? 0, parts[1], parts[2], parts[3])
    })
} catch {
  note("\(error)")
  exit(2)
}
