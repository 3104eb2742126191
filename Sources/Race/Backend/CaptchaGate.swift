import HTTP
import JSON
import Server
import System

/// When the backend wants a CAPTCHA, and what counts as solving it. Closed, it stays so for every call until the page
/// was passed.
struct CaptchaGate {
  private var callsLeft: Int?
  private let chance: Double
  private var failuresLeft: Int
  private var isClosed = false
  private var random: SplitMix64

  /// Beneath the address of the server, as the real one has it.
  static let page = "/recaptcha/api2/demo"
  static let verification = "/recaptcha/api2/userverify"

  init(_ behaviour: [String: Int], seed: UInt64) {
    callsLeft = behaviour["captcha-after"]
    chance = Double(behaviour["captcha-chance"] ?? 0) / 100
    failuresLeft = behaviour["captcha-fails"] ?? 0
    random = SplitMix64(seed: seed)
  }

  /// Whether this call meets a CAPTCHA.
  mutating func stops() -> Bool {
    if isClosed { return true }
    if let left = callsLeft {
      callsLeft = left > 0 ? left - 1 : nil
      isClosed = left == 0
    }
    if chance > 0, random.fraction() < chance { isClosed = true }
    return isClosed
  }

  /// `403`, with the address of the local page; of the real one where no page can be had, inside the process.
  func challenge(_ call: Call) -> Response {
    let host = call.header("Host") ?? ""
    let address =
      host.utf8.contains(UInt8(ascii: ":"))
      ? "http://\(host)\(CaptchaGate.page)" : "https://www.google.com\(CaptchaGate.page)"
    return RaceBackend.answer(403) { writer in
      writer.object { writer in
        writer.member("captchaUrl", address)
      }
    }
  }

  /// An attempt: 200 whether it passed or not, the body says which.
  mutating func verify() -> Response {
    let passed = failuresLeft == 0
    if passed { isClosed = false } else { failuresLeft -= 1 }
    let body = ")]}'\n[\"uvresp\",\"\(passed ? "a-token" : "")\",\(passed ? 1 : 0),120]"
    return Response(200, headers: ["Content-Type": "application/json; charset=utf-8"], body: Array(body.utf8))
  }
}

/// A page like the real one's: its script posts each attempt by itself, and the page is never left.
enum CaptchaPage {
  static let response = Response(
    200, headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(html.utf8))

  private static let html = """
    <!doctype html>
    <meta charset="utf-8">
    <title>Are you a bee?</title>
    <style>body { font: 1.2rem sans-serif; margin: 4rem auto; max-width: 24rem; text-align: center }</style>
    <h1>🐝</h1>
    <p id="word">Looking at you closely…</p>
    <script>
    const word = document.getElementById('word');
    async function attempt() {
      const answer = await fetch('/recaptcha/api2/userverify?k=demo', { method: 'POST' });
      const passed = JSON.parse((await answer.text()).slice(4))[2] === 1;
      word.textContent = passed ? 'No bee. Thank you: you may close this window.' : 'Hm. Looking again…';
      if (!passed) setTimeout(attempt, 700);
    }
    setTimeout(attempt, 700);
    </script>
    """
}
