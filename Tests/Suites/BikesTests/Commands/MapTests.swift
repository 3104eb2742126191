import System
import Terminal
import TestSupport
import Testing

@testable import Bikes

@Suite struct TheMap {
  private let size = WindowSize(columns: 60, rows: 23)

  @Test func theDateLineAndThePolesAreNoEdge() {
    let line = place(10, 180)
    let view = MapView(of: Circle(line, meters: 500), on: size)
    let spot = view.position(of: line.moved(north: 0, east: 300), on: size)
    #expect((30..<60).contains(spot.column))
    let pole = MapView(of: Circle(place(90, 0), meters: 500), on: size)
    #expect(pole.position(of: place(90, 0), on: size).row == 11)
  }

  /// Four bikes around the pole are in four directions, from the pole and from each of them.
  @Test(arguments: [90.0, -90])
  func atPolesNothingLiesUponAnother(pole: Double) throws {
    let around = [0, 90, 180, -90].map { place(pole.sign == .minus ? -89.9995 : 89.9995, $0) }
    for center in [place(pole, 0)] + around {
      let view = MapView(of: Circle(center, meters: 130), on: size)
      let spots = around.map { view.position(of: $0, on: size) }
      #expect(Set(spots.map { $0.row * 60 + $0.column }).count == 4, "around \(center): \(spots)")
      #expect(spots.allSatisfy { (0..<23).contains($0.row) && (0..<60).contains($0.column) })
    }
    let all = MapView(showing: around, on: size)
    let spots: [Canvas.Position] = around.map { all.position(of: $0, on: size) }
    #expect(Set(spots.map { $0.row * 60 + $0.column }).count == 4)
  }

  @Test(
    arguments: [
      0, 1e-300, 1e-22, 0.04, 0.5, 1, 1e7, Sphere.halfCircumference, 1e300, .greatestFiniteMagnitude,
    ],
    [(20, 8), (60, 23), (300, 60), (1, 1), (5, 2)])
  func anyRadiusMakesMapWithScaleBar(meters: Double, size: (columns: Int, rows: Int)) {
    let size = WindowSize(columns: size.columns, rows: size.rows)
    let circle = Circle(you, meters: meters)
    var canvas = Canvas(size)
    let view = MapView(of: circle, on: size)
    let bikes = [400, 5000].map { bike("\($0)", you.moved(north: $0, east: 0)) }
    view.draw(FoundBike.sorted(bikes, from: you), you: you, on: &canvas, rows: size.rows)
    if size.columns >= 20 {
      #expect(canvas.lines.last?.contains(/^├─*┤ [0-9.]+ k?m$/) == true, "\(canvas.lines.last ?? "")")
    }
  }
}

@Suite struct TheForm {
  private func ask(
    _ answers: [String], _ form: BikeForm = BikeForm(), swatches: Bool = false
  ) throws -> (BikeProfile?, PreparedAnswers, String) {
    var form = form
    let prepared = PreparedAnswers(answers)
    let errors = MemorySink()
    let profile = try form.ask(
      Prompt(prepared, errors: errors), preset: place(50.12, 8.64), swatches: swatches)
    return (profile, prepared, errors.text)
  }

  @Test func fieldByFieldThenTheWhole() throws {
    let (profile, prepared, text) = try ask([
      "", " ", "Wanda", "reddish", "re", "12a4", "4711", "91,8", "", "y",
    ])
    #expect(profile?.name == "Wanda")
    #expect(profile?.color == "D8433A")
    #expect(profile?.pin.digits == "4711")
    #expect(profile?.place == place(50.12, 8.64))
    // The PIN, twice, is not shown.
    #expect(
      prepared.echoes.map { $0 == .hidden } == [
        false, false, false, false, false, true, true, false, false, false,
      ])
    #expect(!text.contains("4711"))
  }

  @Test(arguments: [
    (false, "  1  cyan\n"), (true, "  1  \u{1B}[48;2;0;200;230;38;2;0;0;0m  \u{1B}[0m cyan\n"),
  ])
  func theColorsAreShown(swatches: Bool, first: String) throws {
    let (profile, _, text) = try ask(["Wanda", "10", "4711", "", "y"], swatches: swatches)
    #expect(profile?.color == "1C1C1C")
    #expect(text.hasPrefix("Name: \(first)"), "\(text)")
    #expect(text.contains("Color: PIN (four digits, not shown): Place (LAT,LON) [50.12,8.64]: "))
    #expect(text.hasSuffix("Add 'Wanda', black, at 50.12,8.64? [y/N] "))
  }

  /// What --frame-color accepts is accepted here too.
  @Test(arguments: [("ff8800", "FF8800"), ("#ff8800", "FF8800"), ("123456", "123456"), ("bla", "1C1C1C")])
  func aColorIsAlsoSixDigits(answer: String, color: String) throws {
    let (profile, _, text) = try ask(["Wanda", "ff88", answer, "4711", "", "y"])
    #expect(profile?.color == color)
    #expect(text.contains("answer with a number from 1 to 10, a name, or six hex digits (00C8E6)"))
  }

  @Test func onlyWhatIsMissing() throws {
    var form = BikeForm()
    form.name = "Wanda"
    form.pin = Pin("4711")
    #expect(try ask(["cyan", "1,1", "yes"], form).0?.place == place(1, 1))
    #expect(form.missing == ["--frame-color", "--at"])
  }

  @Test func unconfirmedBikeIsNotAdded() throws {
    #expect(try ask(["Wanda", "1", "4711", "", "n"]).0 == nil)
  }

  @Test func anEndInsteadOfAnAnswerIsAFailure() {
    #expect(throws: Failure.self) { try ask(["Wanda"]) }
  }
}
