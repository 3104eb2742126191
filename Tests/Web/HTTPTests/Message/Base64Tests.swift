import Testing

@testable import HTTP

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func encodingMatchesRFC4648(plain: String, letters: String) {
    #expect(Base64.encode(Array(plain.utf8)) == letters)
    #expect(Base64.decode(letters) == Array(plain.utf8))
  }

  @Test func decodedBytesEqualEncodedBytes() {
    for count in 0..<9 {
      let bytes = (0..<256).flatMap { [UInt8](repeating: UInt8($0), count: 1 + count % 3) }.dropLast(count)
      #expect(Base64.decode(Base64.encode(Array(bytes))) == Array(bytes))
    }
  }

  @Test func bearsLineBreaks() {
    #expect(Base64.decode("Zm9v\nYmFy\r\n") == Array("foobar".utf8))
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "====", "Z===", "Zm9v!", "Zm 9v", "Zg==Zg==", "Zm9é"])
  func malformedBase64IsRefused(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
