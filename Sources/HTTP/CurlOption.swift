/// The settings of libcurl that hw uses, by their numbers in its binary interface, which never change. The thousands
/// tell the type: none a number, 1 a pointer, 2 a function, 3 an offset.
enum CurlOption: Int32 {
  case noProgress = 43
  case noBody = 44
  case post = 47
  case freshConnection = 74
  case get = 80
  case httpVersion = 84
  case noSignal = 99
  case timeout = 155
  case connectTimeout = 156
  case pathAsIs = 234
  case noConnectHeaders = 265
  case quickExit = 322
  case bodyContext = 10001
  case url = 10002
  case proxy = 10004
  case errorText = 10010
  case headers = 10023
  case headerContext = 10029
  case method = 10036
  case watchContext = 10057
  case certificateFile = 10065
  case certificateFolder = 10097
  case encodings = 10102
  case body = 10165
  case noProxy = 10177
  case takeBody = 20011
  case takeHeader = 20079
  case watch = 20219
  case sizeLimit = 30117
  case bodySize = 30120
}

/// What libcurl tells about a transfer.
enum CurlInformation: Int32 {
  case status = 0x20_0002
  case proxyStatus = 0x20_0016
  case systemError = 0x20_0019
  case timeToTransfer = 0x60_0035
}
