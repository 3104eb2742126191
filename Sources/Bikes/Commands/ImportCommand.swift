import Command
import HTTP
import JSON
import Output
import System
import Terminal

extension Bikes {
  static let importFile = Operand("FILE", ValueKind<String>.inputFile, "The file; '-' is standard input")
  static let dryRun = Option(
    "dry-run", "Print what would be done, but do nothing",
    details: "The file is checked and nothing is sent, so the counts of added and present bikes are 0.")
  static let continues = Option(
    "continue", "Import valid bikes, report the others",
    details: "The valid bikes are added atomically if the server supports it.")

  static let again = Option("again", "Import a file that was imported before")

  static let importBikes = Command(
    withStatus: "import", "Import bikes from a file",
    discussion: """
      The file is JSON, JSON Lines, CSV, TSV or GeoJSON, which is detected. JSON has the fields name, color, pin, \
      location.latitude and location.longitude, as 'hw bikes export --pins' writes them. CSV and TSV have columns with these \
      names; other columns are ignored. GeoJSON has points with the properties name, color and pin. If an admin imports an export, \
      the bikes keep their ids and owners, and a bike whose id exists is not added. Otherwise they receive new ids and \
      belong to the user.

      A file that the user imported before is not added again, except with --again.

      The import is atomic: all bikes are added at the end, or none if there is an error. A server without this feature, \
      such as the one that hw was modeled on, requires --continue, and bikes are added one by one.
      """,
    operands: [importFile], options: [dryRun, continues, again, tokenFile],
    output: .one(ImportReport.self),
    needs: [.network, .writes],
    examples: [
      Example(
        "printf 'name,color,pin,latitude,longitude\\nWanda,red,0420,50.12,8.64\\n' | hw bikes import -",
        "import one bike"),
      Example("hw bikes export --pins | hw bikes import - --dry-run", "check a file"),
    ],
    failures: [.no]
  ) { call, context throws(Failure) -> ExitStatus in
    var bikeImport = BikeImport(call, context)
    defer { context.clearProgress() }
    let source = try context.openMeasured(call[importFile])
    let progress = Progress(context, "bike", " read")
    bikeImport.showProgress = { progress.update($0, fraction: source.fraction) }
    let report = try bikeImport.run(source)
    context.clearProgress()
    if bikeImport.isRepeated {
      context.messages.report(
        "this file was imported before, so nothing was added; use --again to add its bikes again")
    }
    try context.output.write(report)
    return report.refused == 0 ? .success : .no
  }
}

/// One run of an import.
struct BikeImport {
  /// Where the bikes go.
  private enum Destination {
    case nowhere
    case together(ImportClient)
    /// To a server without imports.
    case oneByOne(BikesClient)
  }

  /// Nil until the first bike.
  private var destination: Destination?
  private let isDry: Bool
  private let connect: () throws(Failure) -> BikesClient
  private let continues: Bool
  private let again: Bool
  /// The file was imported before, so nothing was added.
  private(set) var isRepeated = false
  private let warn: (String) -> Void
  fileprivate var showProgress: (Int) -> Void
  private var report = ImportReport(read: 0, added: 0, refused: 0)
  /// The positions in the file of the last bike that was added and of the one being added.
  private var last: (added: String?, tried: String?)
  private var faults: [String] = []

  /// How many faults are reported individually.
  private static let maximumReported = 20

  init(_ call: Invocation, _ context: Context) {
    let messages = context.messages
    self.init(
      isDry: call[Bikes.dryRun], continues: call[Bikes.continues], again: call[Bikes.again],
      showProgress: { _ in }, warn: { messages.report($0) }
    ) { () throws(Failure) in try Bikes.client(context) }
  }

  init(
    isDry: Bool, continues: Bool, again: Bool = false, showProgress: @escaping (Int) -> Void,
    warn: @escaping (String) -> Void,
    connect: @escaping () throws(Failure) -> BikesClient
  ) {
    self.isDry = isDry
    self.continues = continues
    self.again = again
    self.showProgress = showProgress
    self.warn = warn
    self.connect = connect
  }

  /// Requests, at the first bike, whether the server supports imports.
  private func found() throws(Failure) -> Destination {
    if isDry { return .nowhere }
    let client = try connect()
    if let together = try ImportClient(client) { return .together(together) }
    guard continues else {
      throw Failure(
        .usage, "this server does not support atomic imports",
        hint: "--continue adds the bikes one by one and reports those that are refused")
    }
    return .oneByOne(client)
  }

  mutating func run(_ source: any ByteSource) throws(Failure) -> ImportReport {
    do throws(Failure) {
      try BikeFile.each(source) { row throws(Failure) in
        report.read += 1
        showProgress(report.read)
        switch row.bike {
        case .failure(let failure): try reject(failure, row.place)
        // After the first fault nothing is added; the rest is read to report its faults.
        case .success(let bike) where continues || faults.isEmpty: try add(bike, row.place)
        case .success: break
        }
      }
      guard continues || faults.isEmpty else { throw rejection }
      if case .together(let upload) = destination {
        let result = try upload.finish(again: again)
        report.added = result.added
        report.present = result.present
        isRepeated = result.isRepeated
      }
      return report
    } catch {
      switch destination {
      case .together(let upload):
        upload.drop()
        throw error
      case .oneByOne: throw partialFailure(error)
      case .nowhere, nil: throw error
      }
    }
  }

  /// The failure with the number of bikes that were added before it.
  private func partialFailure(_ failure: Failure) -> Failure {
    var failure = failure
    let upTo = last.added.map { ", up to \($0)" } ?? ""
    failure.message += "; added before that: \(report.added)\(upTo); refused: \(report.refused)"
    failure.details += [
      .init("added", .integer(report.added)), .init("refused", .integer(report.refused)),
      .init("lastAdded", .text(last.added ?? "")),
    ]
    if let tried = last.tried {
      failure.hint =
        "check with 'hw bikes list --anywhere' whether the bike at \(tried) exists, and import only the bikes after it"
    }
    return failure
  }

  private mutating func add(_ bike: ImportedBike, _ place: String) throws(Failure) {
    let found = if let destination { destination } else { try found() }
    destination = found
    switch found {
    case .nowhere: break
    case .together(let upload): try upload.add(bike)
    case .oneByOne(let client):
      do throws(Failure) {
        last.tried = place
        _ = try client.add(bike.profile)
        report.added += 1
        last = (place, nil)
      } catch {
        guard error.kind == .usage else { throw error }
        last.tried = nil
        try reject(error, place)
      }
    }
  }

  private mutating func reject(_ failure: Failure, _ place: String) throws(Failure) {
    report.refused += 1
    // A failure of the reader names its line already.
    let told = failure.message.hasPrefix("line ") ? failure.message : "\(place): \(failure.message)"
    faults.append(told)
    guard report.refused <= BikeImport.maximumReported else { return }
    warn(told)
  }

  private var rejection: Failure {
    Failure(
      .usage,
      "\(report.refused) of \(report.read) bikes are invalid, the first at \(faults.first ?? "?"); nothing was added",
      hint: "correct them, or import the others with --continue",
      details: [.init("faults", .list(Array(faults.prefix(1000))))])
  }
}
