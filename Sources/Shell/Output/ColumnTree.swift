/// Columns as the object of their dotted paths, in the chosen order: `team.name` and `team.id` share the member `team`.
struct ColumnTree {
  indirect enum Node {
    case leaf(name: String, column: Int)
    case branch(name: String, ColumnTree)

    var name: String {
      switch self {
      case .leaf(let name, _), .branch(let name, _): name
      }
    }
  }

  let nodes: [Node]

  /// A path that is already a member, or inside one, adds nothing.
  init(_ columns: [Column]) {
    var builder = Builder()
    let ends = columns.map { builder.insert($0.memberNames) }
    for (column, end) in ends.enumerated() where builder.columns[end] == nil { builder.columns[end] = column }
    self = builder.tree()
  }

  private init(nodes: [Node]) { self.nodes = nodes }

  /// Members by number, each after its object, so that each path is inserted in one pass.
  private struct Builder {
    private struct Key: Hashable {
      let object: Int
      let name: String
    }

    private var names = [""]
    private var parents = [0]
    private var numbers: [Key: Int] = [:]
    /// First column of each member; nil if no path ends there.
    var columns: [Int?] = [nil]

    /// Inserts a path; returns the number of its last member.
    mutating func insert(_ path: [String]) -> Int {
      path.reduce(0) { object, step in
        let key = Key(object: object, name: step)
        if let known = numbers[key] { return known }
        let number = names.count
        numbers[key] = number
        names.append(key.name)
        parents.append(object)
        columns.append(nil)
        return number
      }
    }

    /// Makes the nodes from the last number to the first, since an object needs the nodes of its members. Members are in
    /// the order of their first column; a member with a column has no members of its own.
    func tree() -> ColumnTree {
      var isInside = [Bool](repeating: false, count: names.count)
      var first: [Int] = columns.map { $0 ?? .max }
      for number in names.indices.dropFirst() {
        isInside[number] = isInside[parents[number]] || columns[parents[number]] != nil
      }
      var members = [[Int]](repeating: [], count: names.count)
      var nodes = [Node?](repeating: nil, count: names.count)
      func inOrder(_ numbers: [Int]) -> [Node] {
        numbers.sorted { first[$0] < first[$1] }.compactMap { nodes[$0] }
      }
      for number in names.indices.dropFirst().reversed() where !isInside[number] {
        nodes[number] =
          if let column = columns[number] {
            .leaf(name: names[number], column: column)
          } else {
            .branch(name: names[number], ColumnTree(nodes: inOrder(members[number])))
          }
        let parent = parents[number]
        members[parent].append(number)
        first[parent] = min(first[parent], first[number])
      }
      return ColumnTree(nodes: inOrder(members[0]))
    }
  }
}
