import HTTP
import System

/// The way back of a bike: it is moved, then freed. Whatever stands when one of the two fails is said, and doing the same
/// again finishes it.
extension Renting {
  func giveBack(_ id: String, at place: Place) throws(Failure) -> Bike {
    do throws(Failure) {
      let note = try notes?.first(id)
      var (bike, keepsAnswers) = try seen(id, note)
      if bike.isRented {
        let step = Step(id: id, place: place, wasOurs: note != nil, keepsAnswers: keepsAnswers)
        do throws(Failure) {
          try finish(step, bike, pin: bike.pin ?? note?.pin)
        } catch {
          guard error.kind == .unauthorized, note != nil, isHidden(bike) else { throw error }
          forget(id)
          throw Failure(
            .unauthorized,
            "bike \(id) is not yours to return, and no longer noted as yours: \(error.message)",
            hint: error.hint)
        }
      } else if note == nil {
        throw Failure(.conflict, "bike \(id) is not rented")
      }
      forget(id)
      guard bike.isRented || bike.place == place else {
        throw Failure(
          .conflict,
          "bike \(id) is free already, at \(bike.place): somebody else ended your rental, and it is no longer noted",
          hint: "to bring it to \(place), rent it again")
      }
      bike.place = place
      bike.isRented = false
      return bike
    } catch {
      throw error.told(report)
    }
  }

  /// What is to be done, and with what in mind.
  private struct Step {
    let id: String
    let place: Place
    let wasOurs: Bool
    let keepsAnswers: Bool

    var again: String { "'hw bikes return \(id) --at \(place)'" }
  }

  /// The bike as it is. One that does not exist is not out.
  private func seen(
    _ id: String, _ note: RentedNotes.Note?
  ) throws(Failure) -> (bike: Bike, keepsAnswers: Bool) {
    do throws(Failure) {
      return try client.look(at: id)
    } catch {
      guard note != nil, error == BikesClient.unknown(id) else { throw error }
      forget(id)
      throw error.adding("it is no longer noted as yours", hint: error.hint ?? "")
    }
  }

  private func finish(_ step: Step, _ bike: Bike, pin: Pin?) throws(Failure) {
    guard let pin else {
      throw Failure(.unauthorized, "bike \(step.id) is not yours to return: somebody else has it out")
    }
    let isThere = bike.place == step.place
    if !isThere {
      try move(
        step, BikeProfile(name: bike.name, color: bike.color, pin: pin, place: step.place))
    }
    let state = "bike \(step.id) \(isThere ? "is at" : "was moved to") \(step.place)"
    do throws(Failure) {
      try client.giveBack(step.id, wasOurs: step.wasOurs, keepsAnswers: step.keepsAnswers)
    } catch {
      throw error.isUnclear
        ? error.saying(
          "\(state), and perhaps returned", again: "if you still have it, finish with \(step.again)")
        : error.saying("\(state), but is not returned yet", again: "finish with \(step.again)")
    }
  }

  private func move(_ step: Step, _ profile: BikeProfile) throws(Failure) {
    do throws(Failure) {
      try client.change(step.id, to: profile, keepsAnswers: step.keepsAnswers)
    } catch {
      guard error.isUnclear else {
        throw error.saying("bike \(step.id) stays where it was, and rented")
      }
      switch client.lookAgain(step.id, after: error) {
      case .success(let bike?) where bike.place == step.place: return
      case .success:
        throw error.saying("bike \(step.id) stays where it was, and rented", again: "try \(step.again) again")
      case .failure:
        throw error.saying(
          "bike \(step.id) may have been moved to \(step.place), and is not returned yet",
          again: "finish with \(step.again)")
      }
    }
  }
}
