import HTTP
import System

// ledger FOLDER TAKES: asks the ledger in FOLDER so many times for one of 150 000 calls, and prints how many it got.

/// A service that always answers, and costs nothing.
struct Obliging: Transport {
  func send(_ request: Request) throws(Failure) -> ReceivedResponse { ReceivedResponse(Response(200)) }
}

let words = CommandLine.arguments
let limit = RateLimit.sliding(150_000, per: .seconds(86_400))
let transport = RateLimitingTransport(
  Obliging(), limit: limit, ledgersIn: words[1], deadline: nil, time: SystemTime()
) { _ in }
let request = Request(.get, try URL("http://127.0.0.1:9/"))
var granted = 0
for _ in 0..<(Int(words[2]) ?? 0) where (try? transport.send(request)) != nil { granted += 1 }
print(granted)
