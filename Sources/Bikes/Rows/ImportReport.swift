import Output

/// What became of an import.
struct ImportReport: Row {
  var read: Int
  var added: Int
  var refused: Int

  static let fields: Fields<ImportReport> = [
    .integer("read", "Read", "bikes in the file") { $0.read },
    .integer("added", "Added", "bikes that are there now because of it") { $0.added },
    .integer("refused", "Refused", "bikes that are not, each told on standard error") { $0.refused },
  ]
}
