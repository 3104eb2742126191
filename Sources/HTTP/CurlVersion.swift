import CLibraries
import System

extension CurlTransport {
  /// What the libcurl that would be used calls itself: `libcurl/8.5.0 OpenSSL/3.0.13 …`.
  public static func version(of libraries: [String] = CurlTransport.libraries) throws(Failure) -> String {
    // Opens the library, and fails where there is none.
    _ = try CurlHandle(libraries: libraries)
    return unsafe String(cString: hw_curl_version())
  }
}
