import HTTP
import JSON
import System

/// Renting and returning: the calls where an answer that is lost must not be guessed at.
extension BikesClient {
  /// What became of asking for a bike.
  enum Taking {
    /// It is ours; nil where the server says no more than that: then the PIN is in the list.
    case ours(Bike?)
    /// Somebody has it, by a first try of ours perhaps whose answer was lost; nil when it could not be looked at.
    case others(Bike?, perhapsOurs: Bool)
  }

  /// Asks for a bike. May be sent again: whoever has it out already is not rented a second time.
  func take(_ id: String) throws(Failure) -> Taking {
    let request = endpoint.request(.put, "/bikes/\(id)/rented", headers: keyed())
    let response: Response
    do throws(Failure) {
      response = try answer(request)
      if response.isSuccess {
        return .ours(
          response.body.isEmpty ? nil : try read(response, request) { json throws(Failure) in try Bike(json) }
        )
      }
    } catch {
      throw unclearRent(error, id)
    }
    let refusal = BikesClient.refusal(response, of: request) ?? BikesClient.unknown(id)
    guard response.status == 400 || response.status == 409 else { throw refusal }
    // The original words all its refusals alike: the bike itself says which it is.
    let perhapsOurs = response.attempts > 1 && !BikesClient.keepsAnswers(response)
    switch lookAgain(id) {
    case .success(let bike?) where bike.isRented: return .others(bike, perhapsOurs: perhapsOurs)
    case .success: throw refusal
    case .failure(let failure):
      if failure.kind == .interrupted { throw failure }
      return .others(nil, perhapsOurs: perhapsOurs)
    }
  }

  private func unclearRent(_ failure: Failure, _ id: String) -> Failure {
    guard failure.isUnclear || failure.kind == .invalidData else { return failure }
    switch lookAgain(id, after: failure) {
    case .success(let bike?) where bike.isRented:
      return failure.adding(
        "bike \(id) is rented now, by this request or by somebody else: its answer was lost",
        hint: "if it is yours, 'hw bikes return \(id)' gives it back")
    case .success(.some):
      return failure.adding("bike \(id) is still free", hint: "rent it again")
    case .success: return failure.adding("bike \(id) is gone", hint: "'hw bikes list' shows others")
    case .failure:
      return failure.saying(
        "bike \(id) may be rented now, by you", again: "look before you rent again: 'hw bikes show \(id)'")
    }
  }

  /// Frees a bike. One that is free already was freed by somebody: `wasOurs` says whether we had it.
  func giveBack(_ id: String, wasOurs: Bool, keepsAnswers: Bool = false) throws(Failure) {
    let request = change(.delete, "/bikes/\(id)/rented", keepsAnswers: keepsAnswers)
    let response: Response
    do throws(Failure) {
      response = try answer(request)
    } catch {
      guard error.isUnclear else { throw error }
      switch lookAgain(id, after: error) {
      case .success(let bike?) where bike.isRented:
        throw error.adding(
          "bike \(id) is rented now, by you still or by somebody else since",
          hint: "if it is yours, give it back again")
      case .success: return
      case .failure: throw error
      }
    }
    guard let refusal = BikesClient.refusal(response, of: request) else { return }
    if response.status == 400 || response.status == 409, !(try bike(id)).isRented {
      if wasOurs { return }
      throw Failure(.conflict, "bike \(id) is not rented")
    }
    throw refusal
  }
}
