import Command
import HTTP
import JSON
import Output
import System

extension Bikes {
  static let importFile = Operand("FILE", ValueKind<String>.inputFile, "The file; '-' is standard input")
  static let dryRun = Option(
    "dry-run", "Print what would be done, but do nothing",
    details: "The file is checked and nothing is sent, so the counts of added and present bikes are 0.")

  static let importBikes = Command(
    "import", "Import bikes from a file",
    discussion: """
      The file is JSON, JSON Lines, CSV, TSV or GeoJSON. The fields are name, color, pin, location.latitude and \
      location.longitude, as 'hw bikes export --pins' writes them; other columns are ignored. GeoJSON has points with \
      the properties name, color and pin.

      The whole file is checked first. Then \(ImportedBike.mostPerRequest) bikes are added at a time. If the server \
      refuses some, those before them remain, and the error reports how many are stored. Repeat the import with a \
      corrected file: a bike that you imported before is not added again, unless it was deleted. The original server \
      recognizes only a bike whose values are those of the file.

      The bikes are yours, receive new ids and are available. From an export, an admin keeps owners, states and ids \
      from 0 to \(ImportedBike.numbers.upperBound). A bike whose id exists is not added. If the stored bike has \
      another name, color, PIN or owner, that is a conflict: it is reported, the others are added, and the status is \
      4. A deleted bike comes back if its name or color is that of the row.
      """,
    operands: [importFile], options: [dryRun, tokenFile],
    output: .one(ImportReport.self).schemaVersion(3),
    needs: [.network, .writes],
    examples: [
      Example(
        "printf 'name,color,pin,latitude,longitude\\nWanda,red,0420,50.12,8.64\\n' | hw bikes import -",
        "import one bike"),
      Example("hw bikes export --pins | hw bikes import - --dry-run", "check a file"),
    ]
  ) { call, context throws(Failure) in
    defer { context.clearProgress() }
    let source = try context.open(call[importFile])
    let reading = Progress(context, "bike", " read")
    var file = ImportedFile(try call[importFile]) { context.messages.report($0) }
    let bikes = try file.read(source) { reading.update($0) }
    var report = ImportReport(read: bikes.count)
    var conflicts: Set<Int> = []
    if !call[dryRun] {
      let sending = Progress(context, "bike", " stored")
      var upload = BikeUpload(try serverClient(context)) { sending.update($0) }
      do throws(Failure) { try upload.send(bikes) } catch {
        context.clearProgress()
        throw error.reportingInterruption(context.reportInterruption)
      }
      conflicts = Set(upload.conflicts)
      (report.added, report.present, report.conflicts) = (upload.added, upload.present, conflicts.count)
    }
    context.clearProgress()
    try context.output.write(report)
    guard !conflicts.isEmpty else { return }
    let others = bikes.filter { $0.number.map(conflicts.contains) ?? false }
    for bike in others.prefix(ImportedFile.maximumReported) {
      let id = bike.number.map(String.init) ?? ""
      context.messages.report("the id \(id) of '\(bike.profile.name)' belongs to another bike")
    }
    throw Failure(
      .conflict, "\(others.count) of \(bikes.count) bikes were not added: their ids belong to other bikes",
      hint: "import those without their ids: they receive new ones",
      details: [.init("conflicts", .list(conflicts.sorted().map(String.init)))])
  }
}

/// Reads a whole file, since nothing is imported if a bike is invalid.
struct ImportedFile {
  private let name: String
  private let warn: (String) -> Void
  private var hint: String?
  private var faults: [String] = []
  private var faultCount = 0
  private var bikes: [ImportedBike] = []
  /// Numbers of equal profiles, by hash to save memory: two of a million bikes collide once in 30 million imports.
  private var copies: [Int: Int] = [:]
  /// The position of each id in the file. A second bike with an id would be lost.
  private var positions: [Int: String] = [:]

  static let maximumReported = 20

  init(_ name: String, warn: @escaping (String) -> Void) {
    self.name = name == "-" ? "standard input" : "'\(name)'"
    self.warn = warn
  }

  mutating func read(
    _ source: any ByteSource, showProgress: (Int) -> Void
  ) throws(Failure) -> [ImportedBike] {
    try BikeFile.each(source) { row throws(Failure) in
      showProgress(bikes.count + faultCount + 1)
      switch row.bike {
      case .failure(let failure): reject(failure, row.position)
      case .success(let bike): add(bike, row.position)
      }
    }
    guard faultCount > 0 else { return bikes }
    throw Failure(
      .usage,
      "\(faultCount) of \(bikes.count + faultCount) bikes in \(name) are invalid; nothing was added",
      hint: hint ?? "correct them and import the file again",
      details: [.init("faults", .list(faults))])
  }

  private mutating func add(_ bike: ImportedBike, _ position: String) {
    if let number = bike.number, let first = positions.updateValue(position, forKey: number) {
      return reject(Failure(.usage, "the id '\(number)' is that of \(first) too"), position)
    }
    let hash = bike.profile.hashValue
    copies[hash, default: 0] += 1
    bikes.append(bike)
    bikes[bikes.count - 1].copy = copies[hash] ?? 1
  }

  private mutating func reject(_ failure: Failure, _ position: String) {
    faultCount += 1
    guard faultCount <= 1000 else { return }
    // The failure contains the line already.
    let fault = if case .input = failure.cause { failure.message } else { "\(position): \(failure.message)" }
    faults.append(fault)
    hint = hint ?? failure.hint
    if faultCount <= ImportedFile.maximumReported { warn(fault) }
  }
}
