import HTTP
import System

/// Requests that rent and return a bike. After a lost response the state of the bike shows their outcome.
extension BikesClient {
  enum RentOutcome {
    /// The request succeeded. The value is nil if the response has no PIN, which is then in the list.
    case rented(Bike?)
    /// The bike is rented, possibly by an earlier attempt with a lost response. Nil if the bike cannot be read.
    case rentedAlready(Bike?, possiblyByUs: Bool)
  }

  /// Requests a rental. Repetition is safe: a rented bike is not rented again.
  func requestRental(_ id: String, key: String? = nil) throws(Failure) -> RentOutcome {
    let request = endpoint.request(.put, "/bikes/\(id)/rented", headers: changeHeaders(key))
    let response: ReceivedResponse
    do throws(Failure) {
      response = try sendChange(request)
      if response.isSuccess {
        let bike = response.body.isEmpty ? nil : try changed(id, by: request, response, isRented: true)
        return .rented(bike?.pin == nil ? nil : bike)
      }
    } catch {
      throw rentFailure(error, id)
    }
    let error = BikesClient.serviceError(response, of: request) ?? BikesClient.unknown(id)
    guard response.status == 400 || response.status == 409 else { throw error }
    // The original has one message for all errors. The state of the bike shows the reason.
    let possiblyByUs = response.attempts > 1 && !BikesClient.supportsIdempotency(response)
    switch refetch(id) {
    case .success(let bike?) where bike.isRented: return .rentedAlready(bike, possiblyByUs: possiblyByUs)
    case .success: throw error
    case .failure(let failure):
      if failure.kind == .interrupted { throw failure }
      return .rentedAlready(nil, possiblyByUs: possiblyByUs)
    }
  }

  /// The bike in a response. Fails (`invalidData`) if it contradicts the change.
  private func changed(
    _ id: String, by request: Request, _ response: ReceivedResponse, isRented: Bool
  ) throws(Failure) -> Bike {
    let bike = try read(response, request) { json throws(Failure) in try Bike(json) }
    try BikesClient.require(bike, is: id)
    guard bike.isRented == isRented else {
      throw Failure(
        .invalidData,
        "the service accepted the request, but bike '\(id)' is \(isRented ? "free" : "still rented")")
    }
    return bike
  }

  /// The command for a hint, without the position if only the user knows it.
  static func returnCommand(_ id: String, at place: Place?) -> String {
    ShellWord.command("hw", "bikes", "return", id, "--at", place?.description ?? "LAT,LON")
  }

  private func rentFailure(_ failure: Failure, _ id: String) -> Failure {
    guard failure.outcomeUnknown else { return failure }
    switch refetch(id, after: failure) {
    case .success(let bike?) where bike.isRented:
      return failure.appending(
        "bike \(id) is rented now, by this request or by somebody else: its response was lost",
        hint: "if it is yours, \(BikesClient.returnCommand(id, at: nil)) returns it")
    case .success(.some):
      return failure.appending("bike \(id) is still free", hint: "rent it again")
    case .success: return failure.appending("bike \(id) is gone", hint: "'hw bikes list' shows others")
    case .failure:
      return failure.prefixing(
        "bike \(id) may be rented now, by you",
        hint: "look before you rent it: \(ShellWord.command("hw", "bikes", "show", id))")
    }
  }

  /// Returns a bike. A free bike is a success only if it `wasOurs`.
  func returnBike(
    _ id: String, wasOurs: Bool, key: String? = nil, supportsIdempotency: Bool = false
  ) throws(Failure) {
    let request = changeRequest(
      .delete, "/bikes/\(id)/rented", key: key, supportsIdempotency: supportsIdempotency)
    let response: ReceivedResponse
    do throws(Failure) {
      response = try sendChange(request)
    } catch {
      guard error.outcomeUnknown else { throw error }
      switch refetch(id, after: error) {
      case .success(let bike?) where bike.isRented:
        throw error.appending(
          "bike \(id) is rented: still by you, or meanwhile by somebody else",
          hint: "if it is yours, return it again")
      case .success: return
      case .failure: throw error
      }
    }
    guard let error = BikesClient.serviceError(response, of: request) else {
      if !response.body.isEmpty { _ = try changed(id, by: request, response, isRented: false) }
      return
    }
    if response.status == 400 || response.status == 409, !(try bike(id)).isRented {
      if wasOurs { return }
      throw Failure(.conflict, "bike \(id) is not rented")
    }
    throw error
  }

  /// The outcome of a request that may have been sent.
  enum PastOutcome {
    case performed(Bike)
    /// The server refuses the request if it still arrives.
    case canceled
    /// The server does not know the outcome. The value is nil if the bike does not exist.
    case unknown(Bike?)
  }

  /// Determines the outcome of a rental (`PUT`) or return (`DELETE`). `isKept`: a server may still store the key.
  func outcome(_ method: Method, _ id: String, key: String, isKept: Bool) throws(Failure) -> PastOutcome {
    let now: (bike: Bike, supportsIdempotency: Bool)
    do throws(Failure) {
      now = try fetch(id)
    } catch {
      guard error.cause == .unknownObject else { throw error }
      return .unknown(nil)
    }
    guard now.supportsIdempotency, isKept else { return .unknown(now.bike) }
    var request = changeRequest(method, "/bikes/\(id)/rented", key: key, supportsIdempotency: true)
    request.headers["\(IdempotencyKey.cancelHeader)"] = "true"
    let response = try sendChange(request)
    // Status 422: canceled before.
    if response.status == 412 || response.status == 422 { return .canceled }
    return .performed(try read(response, request) { json throws(Failure) in try Bike(json) })
  }
}
