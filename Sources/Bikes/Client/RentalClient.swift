import HTTP
import JSON
import System

/// Renting and returning: the calls where an answer that is lost must not be guessed at.
extension BikesClient {
  /// Rents a bike, and answers with it, its PIN included.
  func rent(_ id: String) throws(Failure) -> Bike {
    let path: URL.Path = "/bikes/\(id)/rented"
    let response: Response
    do throws(Failure) {
      response = try endpoint.send(.put, path, headers: keyed())
    } catch {
      throw unclear(error, id) { bike in
        bike.isRented
          ? "bike \(id) is rented now, by this request or by somebody else: its answer was lost"
          : "bike \(id) was not rented"
      }
    }
    if response.isSuccess {
      // The original says nothing: then the PIN is in the list.
      return response.body.isEmpty ? try listed(id) : try Bike(JSON.parse(response.body))
    }
    guard response.status == 400 || response.status == 409 else {
      _ = try success(response, .put, path)
      throw BikesClient.unknown(id)
    }
    // The original words all its refusals alike: the list says which it is.
    guard try listed(id).isRented else {
      _ = try success(response, .put, path)
      throw BikesClient.unknown(id)
    }
    if response.attempts > 1, !BikesClient.keepsAnswers(response) {
      throw Failure(
        .conflict, "bike \(id) is rented now: perhaps by a first try, whose answer was lost",
        hint: "if its padlock is open to you, 'hw bikes return \(id)' gives it back")
    }
    throw Failure(.conflict, "bike \(id) is rented already: it was taken since you looked")
  }

  /// Frees a bike. One that is free already was freed by somebody: `wasOurs` says whether we had it.
  func giveBack(_ id: String, wasOurs: Bool) throws(Failure) {
    let path: URL.Path = "/bikes/\(id)/rented"
    let response: Response
    do throws(Failure) {
      response = try endpoint.send(.delete, path, headers: keyed())
    } catch {
      guard error.kind == .connection, let bike = try? listed(id), !bike.isRented else { throw error }
      return
    }
    if response.isSuccess { return }
    if response.status == 400 || response.status == 409, !(try listed(id)).isRented {
      if wasOurs || response.attempts > 1 { return }
      throw Failure(.conflict, "bike \(id) is not rented")
    }
    _ = try success(response, .delete, path)
  }

  /// The failure of a request that may have been done, with what a look at the bike says of it.
  private func unclear(_ failure: Failure, _ id: String, _ say: (Bike) -> String) -> Failure {
    guard failure.kind == .connection, failure != .explained, let bike = try? listed(id) else {
      return failure
    }
    var failure = failure
    failure.message = "\(failure.message); \(say(bike))"
    return failure
  }
}
