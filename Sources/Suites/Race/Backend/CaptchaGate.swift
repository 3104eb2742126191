import HTTP
import JSON
import Server
import System

/// Requires a CAPTCHA after a number of calls or at random, and then for every call until one is passed.
struct CaptchaGate {
  private var callsLeft: Int?
  private let chance: Double
  private var failuresLeft: Int
  private var isClosed = false
  private var random: SplitMix64
  private let publicURL: String?

  static let page = "/recaptcha/api2/demo"
  static let verification = "/recaptcha/api2/userverify"

  init(_ settings: RaceServerSettings, _ backend: BackendSettings) {
    callsLeft = settings.captchaAfter
    chance = Double(settings.captchaChance) / 100
    failuresLeft = settings.captchaFails
    random = SplitMix64(seed: backend.seed)
    publicURL = backend.publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
  }

  /// Counts a call, and returns whether it requires a CAPTCHA.
  mutating func stops() -> Bool {
    if isClosed { return true }
    if let left = callsLeft {
      callsLeft = left - 1
      isClosed = left == 0
    }
    if random.fraction() < chance { isClosed = true }
    return isClosed
  }

  /// Sends `403` with the address of the server's page, or of Google's page if the backend runs in a command.
  func challenge(_ call: Call) -> Response {
    let host = call.header("Host") ?? ""
    let origin = host.utf8.contains(UInt8(ascii: ":")) ? "http://\(host)" : "https://www.google.com"
    let address = (publicURL ?? origin) + CaptchaGate.page
    return .json(403) { writer in
      writer.object { writer in
        writer.member("captchaUrl", address)
      }
    }
  }

  /// Responds to an attempt with status 200; the result is in the body.
  mutating func verify() -> Response {
    let passed = failuresLeft == 0
    if passed { isClosed = false } else { failuresLeft -= 1 }
    let body = ")]}'\n[\"uvresp\",\"\(passed ? "a-token" : "")\",\(passed ? 1 : 0),120]"
    return Response(200, headers: ["Content-Type": "application/json; charset=utf-8"], body: Array(body.utf8))
  }
}

/// A page whose script sends each attempt without leaving the page, as Google's does.
enum CaptchaPage {
  static let response = Response(
    200,
    headers: [
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy":
        "default-src 'none'; style-src \(SHA256.source(style)); script-src \(SHA256.source(script)); "
        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ], body: Array(html.utf8))

  private static let html = """
    <!doctype html>
    <meta charset="utf-8">
    <title>Are you a bee?</title>
    <style>\(style)</style>
    <h1>🐝</h1>
    <p id="word">Looking at you closely…</p>
    <script>\(script)</script>
    """

  private static let style =
    "body { font: 1.2rem sans-serif; margin: 4rem auto; max-width: 24rem; text-align: center }"

  private static let script = """
    const word = document.getElementById('word');
    async function attempt() {
      const answer = await fetch('userverify?k=demo', { method: 'POST' });
      const passed = JSON.parse((await answer.text()).slice(4))[2] === 1;
      word.textContent = passed ? 'No bee. Thank you: you may close this window.' : 'Hm. Looking again…';
      if (!passed) setTimeout(attempt, 700);
    }
    setTimeout(attempt, 700);
    """
}
