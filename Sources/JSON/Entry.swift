/// One place in the index: a value, a name of a member, or a closing bracket, in the order of the text.
///
/// A scalar or a name: `start` is its first byte, `info` the length of its text (quotes included), with `complex`
/// set where it cannot be taken as it stands: a string with escapes, a number with a fraction or an exponent.
/// A container: `info` is the distance to the entry of its closing bracket, with `container` set. What kind of
/// value it is says its first byte, so the index does not repeat it.
struct Entry {
  var start: UInt32
  var info: UInt32

  static let complex: UInt32 = 1 << 31
  static let container: UInt32 = 1 << 30
  /// Offsets, lengths and distances all fit below the flags.
  static let largestDocument = Int(container) - 1

  var isComplex: Bool { info & Entry.complex != 0 }
  var isContainer: Bool { info & Entry.container != 0 }
  var length: Int { Int(info & (Entry.container - 1)) }
  /// From this entry to the one after the whole value.
  var stride: Int { isContainer ? length + 1 : 1 }
}
