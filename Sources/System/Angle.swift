/// The functions of angles, in radians.
public enum Angle {
  public static func sine(_ angle: Double) -> Double { sin(angle) }
  public static func cosine(_ angle: Double) -> Double { cos(angle) }
  public static func arcsine(_ sine: Double) -> Double { asin(sine) }
  /// Of the direction (x, y), from the axis of `x` towards that of `y`.
  public static func arctangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
}
