import Foundation
import JSON
import TestSupport
import Testing

/// What a server is sent that it must not take, over a real socket: each with its own status, kind and words.
@Suite(.ownThread) struct BikesBadInput {
  private struct Bad {
    let method: String
    let path: String
    let body: String
    let status: Int
    let kind: String
    let words: String

    init(_ method: String, _ path: String, _ body: String, _ status: Int, _ kind: String, _ words: String) {
      self.method = method
      self.path = path
      self.body = body
      self.status = status
      self.kind = kind
      self.words = words
    }
  }

  private static func bike(
    name: String = "Wanda", pin: String = "\"1234\"", latitude: String = "50.12", longitude: String = "8.64"
  ) -> String {
    #"{"name":"\#(name)","color":"D8433A","pin":\#(pin),"location":{"latitude":\#(latitude),"longitude":\#(longitude)}}"#
  }

  private static let bad = [
    Bad("POST", "/bikes", bike(latitude: "91"), 400, "invalidData", "a latitude from -90 to 90"),
    Bad("POST", "/bikes", bike(longitude: "181"), 400, "invalidData", "a longitude from -180 to 180"),
    Bad("POST", "/bikes", bike(latitude: "NaN"), 400, "invalidData", "expected a value, found 'N'"),
    Bad("POST", "/bikes", bike(latitude: "\"NaN\""), 400, "invalidData", "expected a number, found a string"),
    Bad("POST", "/bikes", bike(latitude: "50,12"), 400, "invalidData", "expected a name in quotes"),
    Bad("POST", "/bikes", bike(latitude: "\"50,12\""), 400, "invalidData", "expected a number"),
    Bad("POST", "/bikes", bike(pin: "\"12a4\""), 400, "invalidData", "exactly four digits"),
    Bad("POST", "/bikes", bike(pin: "\"١٢٣٤\""), 400, "invalidData", "exactly four digits"),
    Bad("POST", "/bikes", bike(pin: "\"12345\""), 400, "invalidData", "exactly four digits"),
    Bad("POST", "/bikes", bike(pin: "1234"), 400, "invalidData", "expected a string, found a number"),
    Bad("POST", "/bikes", bike(name: ""), 400, "invalidData", "the name is empty"),
    Bad("POST", "/bikes", bike(name: " \\t "), 400, "invalidData", "the name is empty"),
    Bad(
      "POST", "/bikes", bike(name: String(repeating: "n", count: 10_240)), 400, "invalidData", "10240 bytes"),
    Bad("POST", "/bikes", bike(name: "a\\u001b[2Jb"), 400, "invalidData", "control or invisible characters"),
    Bad("POST", "/bikes", String(bike().prefix(30)), 400, "invalidData", "expected"),
    Bad("POST", "/bikes", "", 400, "invalidData", "expected a value, found the end"),
    Bad("PUT", "/bikes/0", bike(pin: "\"12a4\""), 400, "invalidData", "exactly four digits"),
    Bad("PUT", "/bikes/0", "{", 400, "invalidData", "expected a name in quotes"),
    Bad("GET", "/bikes?latitude=91&longitude=8", "", 400, "usage", "latitude requires"),
    Bad("GET", "/bikes?latitude=NaN&longitude=8", "", 400, "usage", "latitude requires"),
    Bad("GET", "/bikes?latitude=50,12&longitude=8,64", "", 400, "usage", "latitude requires"),
    Bad("GET", "/bikes?latitude=50&longitude=8&radius=1e999", "", 400, "usage", "radius requires"),
    Bad("GET", "/bikes/1000", "", 404, "notFound", "bike '1000' doesn't exist"),
    Bad("PUT", "/bikes/1000/rented", "", 404, "notFound", "bike '1000' doesn't exist"),
    Bad("DELETE", "/bikes/1000", "", 404, "notFound", "bike '1000' doesn't exist"),
    Bad("GET", "/bikes/..%2F1", "", 404, "notFound", "bike '../1' doesn't exist"),
    Bad("PUT", "/bikes/..%2F1/rented", "", 404, "notFound", "bike '../1' doesn't exist"),
    Bad("GET", "/bikes/a%20b", "", 404, "notFound", "bike 'a b' doesn't exist"),
    Bad("PUT", "/bikes/2/rented", "", 400, "conflict", "bike 2 is rented already"),
    Bad("DELETE", "/bikes/2", "", 403, "unauthorized", "only if the server has users"),
    Bad("DELETE", "/bikes/1/rented", "", 400, "conflict", "bike 1 is not rented"),
  ]

  @Test func refused() throws {
    let server = try Serving.Server()
    let connection = try #require(RawConnection(server.url))
    #expect(connection.ask("PUT", "/bikes/2/rented")?.status == 200)
    let before = connection.ask("GET", "/bikes")?.body
    for bad in BikesBadInput.bad {
      let what = "\(bad.method) \(bad.path) \(bad.body.prefix(200))"
      let plain = try #require(connection.ask(bad.method, bad.path, bad.body))
      #expect(plain.status == bad.status, "\(what)")
      #expect(plain.body.hasPrefix("🚲 ") && plain.body.contains(bad.words), "\(what): \(plain.body)")
      // No PIN, right or wrong, comes back.
      #expect(!plain.body.contains("12a4") && !plain.body.contains("12345"), "\(what)")
      let machine = try #require(
        connection.ask(bad.method, bad.path, bad.body, headers: ["Accept: application/json"]))
      #expect(machine.status == bad.status, "\(what)")
      let error = try JSON.parse(Array(machine.body.utf8))["error"]
      #expect(try error["kind"].string == bad.kind, "\(what)")
      #expect(try error["message"].string.contains(bad.words), "\(what)")
    }
    #expect(connection.ask("GET", "/bikes")?.body == before)
  }

  /// Nobody is writing there: a rehearsed 503 must not say so.
  @Test func aRehearsedFaultNamesNoReason() throws {
    let server = try Serving.Server(["--fault", "503:1"])
    let answer = try #require(RawConnection(server.url)?.ask("GET", "/bikes"))
    #expect(answer.status == 503)
    #expect(answer.body == "🚲 something went wrong here\n")
  }

  @Test(
    "A target that is no target ends the connection, with a reason",
    arguments: [("/bikes/a b", 400), ("/bikes/../1", 404), ("/bikes/%zz", 404), ("bikes", 400)])
  func targets(path: String, status: Int) throws {
    let server = try Serving.Server()
    let connection = try #require(RawConnection(server.url))
    #expect(connection.ask("GET", path)?.status == status)
    #expect(RawConnection(server.url)?.ask("GET", "/bikes")?.status == 200)
  }

  /// The original refuses it; here it is a place like any other, on both sides.
  @Test func zeroIsAPlace() throws {
    let server = try Serving.Server()
    let connection = try #require(RawConnection(server.url))
    let body = BikesBadInput.bike(latitude: "0", longitude: "0")
    #expect(connection.ask("POST", "/bikes", body)?.status == 200)
    let ending = try shell(
      "hw bikes add --name Zero --frame-color red --pin 1234 --at 0,0 --tsv --no-header --fields id && "
        + "hw bikes list --near 0,0 --tsv --no-header --fields id", in: server.home,
      environment: ["HW_URL": server.url])
    #expect(ending.output == "4\n3\n4\n")
  }

  @Test func aBikeIsMovedWhileItIsRented() throws {
    let server = try Serving.Server()
    let connection = try #require(RawConnection(server.url))
    #expect(connection.ask("PUT", "/bikes/1/rented")?.status == 200)
    let answer = connection.ask("PUT", "/bikes/1", BikesBadInput.bike(latitude: "51"))
    #expect(answer?.status == 200)
    #expect(answer?.body.contains(#""latitude":51,"#) == true)
    #expect(answer?.body.contains(#""rented":true"#) == true)
  }

  /// The disk of a server is full in mid-import: nobody's bikes are there, and it goes on answering.
  @Test func aServersFullDisk() throws {
    let home = try Home()
    let many =
      "awk 'BEGIN { print \"name,color,pin,latitude,longitude\"; for (i = 0; i < 20000; i++) print \"B\" i \",red,1234,50,8\" }' >many.csv"
    #expect(try shell("hw bikes list --anywhere >/dev/null; \(many)", in: home).status == 0)
    // A shell has no event for the file of another process, so it polls.
    let ending = try shell(
      """
      (trap '' XFSZ; ulimit -f 1200; exec hw serve --listen 127.0.0.1:0 --ready-file ready >log 2>&1) & server=$!
      until [ -s ready ]; do sleep 0.02; done
      export HW_URL=$(cat ready)
      hw bikes import many.csv --retries 0; echo $?
      echo $(($(hw bikes list --anywhere --jsonl | wc -l) % 250))
      kill $server; wait $server; echo $?; cat log
      """, in: home, environment: ["HW_URL": nil])
    #expect(ending.output.hasPrefix("5\n3\n0\n"), "\(ending.errors)")
    #expect(ending.errors.contains(" of 20000 bikes are stored"))
    // The server's keeper is told why, once.
    #expect(ending.output.components(separatedBy: "hw: cannot read or write").count == 2, "\(ending.output)")
    #expect(ending.errors.contains("500"), "\(ending.errors)")
  }

  @Test(.needs(.setpriv))
  func aServersReadOnlyDatabase() throws {
    let home = try Home()
    #expect(try shell("hw bikes list --anywhere", in: home, environment: ["HW_URL": nil]).status == 0)
    let asNobody = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
    let line =
      "chmod -R a+rX,a-w . .local && \(asNobody) timeout 20 hw serve --listen 127.0.0.1:0; status=$?; chmod -R u+w .; exit $status"
    let ending = try shell(line, in: home, environment: ["HW_URL": nil])
    #expect(ending.status == 10, "\(ending.errors)")
    #expect(
      ending.errors.contains("read-only") || ending.errors.contains("permission denied"), "\(ending.errors)")
  }
}
