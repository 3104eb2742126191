/// What RFC 8259 accepts and refuses, as tables.
enum Grammar {
  static let accepted: [String] = [
    // Literals and white space.
    "null", "true", "false", " null", "null ", "\tnull\r\n", " \t\r\n null \t\r\n ", "\n\n\n[]", "[ ]", "{ }",
    "[\t]", "{\n}", "[\r\n]", " [ ] ", "                 1", "[                    1                    ]",
    // Numbers.
    "0", "-0", "1", "-1", "9", "10", "123", "-123", "0.0", "-0.0", "0.1", "1.0", "10.01",
    "0.00000000000000000001", "1e1", "1E1", "1e+1", "1e-1", "1E+1", "1E-1", "1.5e3", "-1.5e-3", "0e0", "0e1",
    "0E+0", "-0e-0", "1e0001", "1e00", "1e400", "-1e400", "1e-400", "1e999999999999999999999",
    "9223372036854775807", "-9223372036854775808", "18446744073709551615", "18446744073709551616",
    "123456789012345678901234567890", "0.1000000000000000055511151231257827",
    "12345678901234567890123456789012345678901234567890.5e10", "[1]", "[-1]", "[0]", "[1,2]", "[1 , 2]",
    "[0,-0,0.5,1e5]", "{\"a\":1}", "{\"a\":-0.5e+10}", "[1\n]", "[1\t,2]", "1234567890123456",
    "12345678901234567", "[1234567890123456]",
    // Strings.
    "\"\"", "\"a\"", "\" \"", "\"abc def\"", "\"\u{7F}\"", "\"é\"", "\"€\"", "\"😀\"", "\"\u{80}\"",
    "\"\u{7FF}\"", "\"\u{800}\"", "\"\u{FFFF}\"", "\"\u{FFFD}\"", "\"\u{D7FF}\"", "\"\u{E000}\"",
    "\"\u{10000}\"", "\"\u{10FFFF}\"", "\"\u{FEFF}\"", "\"\u{2028}\u{2029}\"", "\"Франкфурт-на-Майне\"",
    "\"フランクフルト・アム・マイン\"", "\"法兰克福\"", #""\"""#, #""\\""#, #""\/""#, #""\b\f\n\r\t""#, #""\u0000""#,
    #""\u001f""#, #""\u0041""#, #""\u00e9""#, #""\u20AC""#, #""\ud83d\ude00""#, #""\uD83D\uDE00""#,
    #""\udbff\udfff""#, #""\ud800\udc00""#, #""\uFFFF""#, #""\uD7FF""#, #""\uE000""#, #""\uABCD\uabcd""#,
    #""a\"b\\c\/d""#, #""\\""#, #""\\\\""#, #""\\\"""#, #""\\u0041""#, "\"123456789012345\"",
    "\"1234567890123456\"", "\"12345678901234567\"", #""123456789012345\n""#, #""1234567890123456\n""#,
    "\"/\"", "\"'\"", "\"<>&\"", "\"{}[]:,\"",
    // Arrays.
    "[]", "[[]]", "[[],[]]", "[[[]]]", "[null]", "[true,false,null]", "[\"a\",\"b\"]",
    "[1,\"a\",null,true,[],{}]",
    "[[1],[2],[3]]", "[{}]", "[{},{}]", "[ [ ] , [ ] ]", "[\"\"]", "[\"]\"]", "[1,[2,[3,[4]]]]",
    // Objects.
    "{}", "{\"a\":null}", "{\"\":0}", "{\"a\":1,\"b\":2}", "{\"a\":{}}", "{\"a\":[]}",
    "{\"a\":{\"b\":{\"c\":1}}}", "{ \"a\" : 1 , \"b\" : 2 }", "{\"a\":1,\"a\":2}", "{\"a\\u0000\":1}",
    "{\"é\":\"é\"}", "{\"\\u0061\":1}", "{\"a\":[{\"b\":[{\"c\":1}]}]}", "{\n\t\"a\"\n:\n1\n}", "{\"}\":1}",
    "{\"a\":\"}\"}", "{\":\":\",\"}", "{\"a\":[],\"b\":{},\"c\":[{}]}", "{\"a\":true,\"b\":false,\"c\":null}",
  ]

  static let refused: [String] = [
    // Nothing, and not enough.
    "", " ", "\n", "\t\r\n ", "[", "{", "[[", "[{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "[1", "[1,",
    "\"", "\"a", "\"\\", "\"\\u", "\"\\u0", "\"\\u00", "\"\\u004", "\"\\u0041", "\"\\ud83d", "\"\\ud83d\\",
    "\"\\ud83d\\u", "\"\\ud83d\\ude0", "-", "1.", "1e", "1e+", "1e-", "-1.", "t", "tr", "tru", "f", "fals",
    "n", "nul", "[t", "[tru", "[\"a", "[\"a\"", "{\"", "{\"a", "[[]", "[{}", "{\"a\":{}", "{\"a\":[]", "[-",
    "[1.", "[1e",
    // Too much.
    "1 2", "null null", "[] []", "{}{}", "[]]", "{}}", "\"a\"\"b\"", "1,", "[],", "[]a", "true false",
    "truefalse", "1a", "1\"a\"", "null,", "[1]]", "1]", "\"a\"x", "{}\u{0}", "[]\u{0}", "1\u{0}",
    "[]\u{FEFF}", "1 é", "{}//",
    // Literals.
    "Null", "NULL", "True", "TRUE", "False", "nul", "nulll", "truee", "falsee", "nil", "undefined", "NaN",
    "nan", "Infinity", "-Infinity", "inf", "+inf", "tRue", "[nul]", "[truth]", "[fals,e]", "{\"a\":nope}",
    "yes", "a", "[a]", "nu ll", "[nul l]", "trux", "falsy",
    // Numbers.
    "+1", "01", "00", "-01", "-00", "000", "0123", "1.e1", ".5", "-.5", "1.", "1.-", "1..2", "1.2.3", "1e",
    "1e1.5", "1ee1", "1e+-1", "1e+", "--1", "-+1", "- 1", "-a", "0x10", "0b1", "0o7", "1_000", "1,000",
    "1 000", "1e 1", "1 e1", "١", "１", "½", "1f", "1L", "1n", "-", "+", ".", "e1", "E1", "[01]", "[1.]",
    "[.1]", "[+1]", "[-]", "[1e]", "[-01]", "[1 2]", "[0 1]", "[0.]", "[0.e1]", "[1.5.5]", "{\"a\":01}",
    "{\"a\":.5}", "[-Infinity]", "[NaN]", "[1e1e1]", "0e", "0.e", "-0.", "0e+", "[0x1]", "1234567890123456.",
    "12345678901234567e",
    // Strings.
    "'a'", "`a`", "\"a'", "\"\n\"", "\"\t\"", "\"\r\"", "\"\u{0}\"", "\"\u{1}\"", "\"\u{8}\"", "\"\u{1F}\"",
    "\"a\nb\"", "[\"\n\"]", #""\a""#, #""\v""#, #""\0""#, #""\x41""#, #""\'""#, #""\ ""#, "\"\\\n\"",
    #""\U0041""#, #""\u""#, #""\u1""#, #""\u12""#, #""\u123""#, #""\u123g""#, #""\ug123""#, #""\u 123""#,
    #""\u-123""#, #""\u+123""#, #""\ud800""#, #""\udc00""#, #""\udbff""#, #""\udfff""#, #""\ud800a""#,
    #""\ud800\n""#, #""\ud800\u0041""#, #""\ud800\ud800""#, #""\udc00\ud800""#, #""\ud83dx\ude00""#,
    #""\ud83d\xde00""#, #""\ud83d\u""#, #""\ud83d\ude""#, #""\é""#, #""\u00é9""#, "\"1234567890123456\u{1}\"",
    "\"123456789012345\u{1}\"", "\"\\\"", "\"a\"b\"", "\\u0022a\\u0022", "\"\\\u{0}\"", "\"\\u\u{0}041\"",
    // Arrays.
    "[,]", "[1,]", "[,1]", "[1,,2]", "[,", "[1;2]", "[1:2]", "[}", "[1}", "]", "[[]", "[]]", "[1 true]",
    "[\"a\" \"b\"]", "[\"a\":1]", "[1,2", "[1,}", "[{]", "[{]}", "[1]2", "[ , ]", "[[,]]", "[1,2,]",
    "[1/**/]", "[1//\n]", "[#]", "(1)", "[\u{0}]", "[1\u{0}]", "[\u{B}]", "[\u{C}1]", "[\u{A0}1]",
    "[\u{2028}]", "[\u{FEFF}1]", "[*]", "[?]", "[1.2,]",
    // Objects.
    "{,}", "{1:2}", "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\":}", "{\"a\",1}", "{\"a\" 1}", "{\"a\"=1}",
    "{\"a\"=>1}", "{\"a\":1,}", "{,\"a\":1}", "{\"a\":1,,\"b\":2}", "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}",
    "{\"a\"::1}", "{\"a\":1:2}", "{:1}", "{null:1}", "{true:1}", "{[]:1}", "{{}:1}", "{]", "{\"a\":1]", "}",
    "{}}", "{\"a\":1}}", "{\"a\":1}{", "{\"a\":1},", "{\"a\":,\"b\":1}", "{\"a\"\"b\"}",
    "{\"a\":\"b\",\"c\"}", "{\"a\":1,2}", "{\"a\\ud800\":1}", "{\"a\n\":1}", "{\"\\x\":1}", "{/**/}",
    "{\"a\":1 /* c */}", "{\"a\"\u{0}:1}", "{\u{0}}", "{\"a\":\u{0}1}", "{\"a\":1\u{0}}", "{ \"a\" : 1 , }",
    "{\"a\" : : 1}", "{...}", "{\"a\":[}]}", "{\"a\":[1}",
    // Other notations.
    "\u{FEFF}null", "\u{FEFF}", "\u{FEFF}[]", "<a/>", "a: 1", "- 1", "---", "#", "// x\n1", "/* x */ 1", "()",
    "\u{0}", "\u{0}null", "\u{1E}{}", "\u{B}1", "\u{A0}1", "1\u{A0}", "\u{3000}1", "\u{85}1", "@", "$", "%",
    "&",
  ]

  /// Bytes that are no UTF-8, each to stand in a string.
  static let notUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xC0], [0xC1], [0xC0, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xC2], [0xC2, 0x41],
    [0xC2, 0xC2, 0x80], [0xDF], [0xDF, 0x7F], [0xDF, 0xC0], [0xE0], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
    [0xE0, 0xA0], [0xE0, 0xA0, 0x41], [0xE0, 0xC0, 0x80], [0xE1], [0xE1, 0x80], [0xE1, 0x80, 0x7F],
    [0xE1, 0x80, 0xC0], [0xE1, 0x41, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xAF, 0xBF], [0xED, 0xB0, 0x80],
    [0xED, 0xBF, 0xBF], [0xEF, 0xBF], [0xEF, 0xBF, 0xBF, 0xBF], [0xF0], [0xF0, 0x80, 0x80, 0x80],
    [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90], [0xF0, 0x90, 0x80], [0xF0, 0x90, 0x80, 0x41],
    [0xF0, 0x90, 0x41, 0x80], [0xF1, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xC0], [0xF4, 0x90, 0x80, 0x80],
    [0xF4, 0xBF, 0xBF, 0xBF], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
    [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xFE, 0xFF], [0xC3, 0xA9, 0xA9],
    [0xE2, 0x82, 0xAC, 0x80], [0xF0, 0x9F, 0x98, 0x80, 0x80],
  ]

  /// A text, and the failure it ends in, word for word.
  static let complaints: [(text: String, message: String)] = [
    ("", "line 1, column 1: expected a value, found the end"),
    ("  \n ", "line 2, column 2: expected a value, found the end"),
    ("[1,2,]", "line 1, column 6, at [2]: expected a value, found ']'"),
    ("[1, 2 ,]", "line 1, column 8, at [2]: expected a value, found ']'"),
    ("[,", "line 1, column 2, at [0]: expected a value, found ','"),
    ("[", "line 1, column 2, at [0]: expected a value, found the end"),
    ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
    ("[1", "line 1, column 3: expected ',' or ']', found the end"),
    ("{\"a\":1 \"b\"}", "line 1, column 8: expected ',' or '}', found '\"'"),
    ("{\"a\" 1}", "line 1, column 6: expected ':', found '1'"),
    ("{\"a\"", "line 1, column 5: expected ':', found the end"),
    ("{a", "line 1, column 2: expected a name in quotes or '}', found 'a'"),
    ("{\"a\":1,}", "line 1, column 8: expected a name in quotes, found '}'"),
    ("{\"a\":}", "line 1, column 6, at a: expected a value, found '}'"),
    ("{\"a\":\n  {\"b\": [1, é]}}", "line 2, column 13, at a.b[1]: expected a value, found 'é'"),
    ("{\"é\":\"é\", \"b c\": x}", "line 1, column 18, at [\"b c\"]: expected a value, found 'x'"),
    ("{\"x\":[{},{\"y\":[0,[1,+1]]}]}", "line 1, column 21, at x[1].y[1][1]: expected a value, found '+'"),
    ("{\"\":?}", "line 1, column 5, at [\"\"]: expected a value, found '?'"),
    ("{\"a.b\":?}", "line 1, column 8, at [\"a.b\"]: expected a value, found '?'"),
    ("{\"\\u0061\":?}", "line 1, column 11, at a: expected a value, found '?'"),
    ("\"abc", "line 1, column 5: expected a closing quote, found the end"),
    ("[\"abc]", "line 1, column 7, at [0]: expected a closing quote, found the end"),
    (
      "[\"a\u{1}\"]",
      "line 1, column 4, at [0]: a string holds the control character U+0001: write it as an escape"
    ),
    (
      "[\"a\nb\"]",
      "line 1, column 4, at [0]: a string holds the control character U+000A: write it as an escape"
    ),
    ("[\u{7F}]", "line 1, column 2, at [0]: expected a value, found U+007F"),
    (#"["\q"]"#, "line 1, column 3, at [0]: a string holds an escape that JSON does not have"),
    (#"["ab\u12x4"]"#, "line 1, column 5, at [0]: a string holds an escape that JSON does not have"),
    (#"["\ud800"]"#, "line 1, column 3, at [0]: half a surrogate pair in a string"),
    (#"["\ud83d\u0041"]"#, "line 1, column 3, at [0]: half a surrogate pair in a string"),
    ("[01]", "line 1, column 2, at [0]: a number begins with a needless 0"),
    ("[-01]", "line 1, column 3, at [0]: a number begins with a needless 0"),
    ("-", "line 1, column 2: expected a digit, found the end"),
    ("[1.x]", "line 1, column 4, at [0]: expected a digit, found 'x'"),
    ("[- 1]", "line 1, column 3, at [0]: expected a digit, found ' '"),
    ("[1e\u{1F}]", "line 1, column 4, at [0]: expected a digit, found U+001F"),
    ("[1e~]", "line 1, column 4, at [0]: expected a digit, found '~'"),
    ("[1e+]", "line 1, column 5, at [0]: expected a digit, found ']'"),
    ("tru", "line 1, column 4: expected a value, found the end"),
    ("[nul]", "line 1, column 2, at [0]: expected a value, found 'n'"),
    ("1 2", "line 1, column 3: expected the end, found '2'"),
    ("{}\n\n x", "line 3, column 2: expected the end, found 'x'"),
    ("[]\u{0}", "line 1, column 3: expected the end, found U+0000"),
    (
      "\u{FEFF}[]",
      "line 1, column 1: a byte order mark, which JSON does not allow: remove the first three bytes"
    ),
    (
      "\u{FEFF}",
      "line 1, column 1: a byte order mark, which JSON does not allow: remove the first three bytes"
    ),
    // It begins with the first byte of that mark.
    ("\u{FF11}", "line 1, column 1: expected a value, found '\u{FF11}'"),
    ("\r\n[\r\n1\r\n?", "line 4, column 1: expected ',' or ']', found '?'"),
  ]
}
