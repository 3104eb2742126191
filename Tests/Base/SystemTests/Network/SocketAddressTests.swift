import Glibc
import Testing

@testable import System

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:80", true, true), ("127.255.255.254", "127.255.255.254:80", true, true),
    ("126.0.0.1", "126.0.0.1:80", false, false), ("0.0.0.0", "0.0.0.0:80", false, true),
    ("0.0.0.1", "0.0.0.1:80", false, false), ("1.0.0.0", "1.0.0.0:80", false, false),
    ("::1", "[::1]:80", true, true), ("::", "[::]:80", false, true), ("::2", "[::2]:80", false, false),
    ("::1:1", "[::0.1.0.1]:80", false, false), ("1::1", "[1::1]:80", false, false),
    ("::ffff:127.0.0.1", "[::ffff:127.0.0.1]:80", true, true),
    ("::ffff:128.0.0.1", "[::ffff:128.0.0.1]:80", false, false),
    ("::fffe:7f00:1", "[::fffe:7f00:1]:80", false, false),
    ("1::ffff:127.0.0.1", "[1::ffff:7f00:1]:80", false, false),
    ("::1:ffff:127.0.0.1", "[::1:ffff:7f00:1]:80", false, false), ("::101", "[::101]:80", false, false),
    ("FE80:0:0:0::A", "[fe80::a]:80", false, false),
  ])
  func numericAddressIsParsed(text: String, shown: String, isLoopback: Bool, isHere: Bool) throws {
    let address = try #require(SocketAddress(numeric: text, port: 80))
    #expect(address.description == shown && address.port == 80 && address.path == "")
    #expect(address.isLoopback == isLoopback)
    #expect(SocketAddress.isOnThisMachine(text) == isHere)
    #expect("\(address)" == (text.contains(":") ? "[\(address.host)]:80" : "\(address.host):80"))
  }

  @Test(arguments: [
    "", "localhost", "127.1", "1.2.3.4.5", "256.1.1.1", "[::1]", "::1%lo", "127.0.0.1\u{0}x", "::g",
  ])
  func otherTextIsNotNumeric(text: String) {
    #expect(SocketAddress(numeric: text, port: 80) == nil)
  }

  @Test func thePortHasTwoBytes() {
    for port in [UInt16(0), 1, 255, 256, 0x1234, 65535] {
      #expect(SocketAddress(numeric: "127.0.0.1", port: port)?.port == port)
      #expect(SocketAddress(numeric: "::1", port: port)?.description == "[::1]:\(port)")
    }
  }

  @Test(arguments: [
    ("localhost", true), ("LOCALHOST", true), ("localhost.", true), ("a.localhost", true),
    ("a.localhost.", true), ("localhost.a", false), ("alocalhost", false), ("localhost..", false),
    ("", false), (".", false),
  ])
  func namesOfThisMachine(name: String, isHere: Bool) {
    #expect(SocketAddress.isLocalhost(name) == isHere && SocketAddress.isOnThisMachine(name) == isHere)
  }

  @Test func localhostIsNotLookedUp() throws {
    for name in ["localhost", "LOCALHOST", "a.localhost."] {
      #expect(try SocketAddress.resolve(name, port: 9).map(\.description) == ["[::1]:9", "127.0.0.1:9"])
    }
    #expect(try SocketAddress.resolve("192.0.2.1", port: 9).map(\.description) == ["192.0.2.1:9"])
  }

  /// What the system reads as an address, in its order and each once.
  @Test(arguments: [("127.1", ["127.0.0.1:9"]), ("0x7f.0.0.2", ["127.0.0.2:9"])])
  func otherWaysToWriteAnAddress(host: String, found: [String]) throws {
    #expect(try SocketAddress.resolve(host, port: 9).map(\.description) == found)
  }

  /// Two addresses, and whether one client can have both.
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
    ("192.0.2.1", "::ffff:192.0.2.1", true), ("192.0.2.1", "193.0.2.1", false),
    ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true),
    ("2001:db8::1", "2001:db8:0:1::1", false), ("2001:db8::1", "2002:db8::1", false),
    // The same bits, of the other family or after other bytes.
    ("192.0.2.1", "0:0:c000:201::", false), ("192.0.2.1", "::fffe:192.0.2.1", false),
    ("192.0.2.1", "::1:ffff:192.0.2.1", false), ("::1", "::fffe:192.0.2.1", true),
  ])
  func networksOfClients(one: String, other: String, isSame: Bool) throws {
    let networks = try [one, other].map { text in
      try #require(SocketAddress(numeric: text, port: 80)?.network)
    }
    #expect((networks[0] == networks[1]) == isSame)
    #expect(SocketAddress(numeric: one, port: 81)?.network == networks[0])
  }

  @Test func socketPathHasAtMost107Bytes() throws {
    let longest = String(repeating: "x", count: 107)
    let address = try #require(SocketAddress(unixPath: longest))
    #expect(address.path == longest && address.description == "unix:\(longest)" && address.host == "")
    #expect(address.isLoopback && address.port == nil && address.network == nil)
    for name in ["", longest + "x", "a\u{0}b"] { #expect(SocketAddress(unixPath: name) == nil, "\(name)") }
  }

  /// Their addresses have the length of the name, which the kernel compares.
  @Test func abstractNames() throws {
    let longest = String(repeating: "x", count: 107)
    for name in ["a", longest] {
      let address = try #require(SocketAddress(abstractName: name))
      #expect(address.bytes.dropFirst(2) == [0] + Array(name.utf8)[...] && address.path == "")
      let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      defer { close(number) }
      #expect(unsafe address.withSockaddr { unsafe bind(number, $0, $1) } == 0)
    }
    for name in ["", longest + "x"] { #expect(SocketAddress(abstractName: name) == nil) }
  }

  /// Of what the kernel fills in.
  @Test func lengthOfAddressIsChecked() throws {
    for text in ["127.0.0.1", "::1"] {
      let address = try #require(SocketAddress(numeric: text, port: 1))
      unsafe address.withSockaddr { name, length in
        #expect(unsafe SocketAddress(name, length: length) == address)
        #expect(unsafe SocketAddress(name, length: length - 1) == nil)
      }
    }
    let file = try #require(SocketAddress(unixPath: "/a"))
    unsafe file.withSockaddr { name, _ in
      #expect(unsafe SocketAddress(name, length: 110)?.path == "/a")
      #expect(unsafe SocketAddress(name, length: 5)?.path == "/a")
      #expect(unsafe SocketAddress(name, length: 2)?.path == "")
      #expect(unsafe SocketAddress(name, length: 111) == nil)
    }
    var other = sockaddr()
    other.sa_family = sa_family_t(AF_PACKET)
    #expect(unsafe SocketAddress(&other, length: 16) == nil)
  }
}
