import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the places of a file where a realistic fault can be put.
final class Finder: SyntaxVisitor {
  private(set) var mutants: [Mutant] = []
  private let file: String
  private let module: String
  private let locations: SourceLocationConverter
  /// The simple cases of the enumerations, each with the next one of its enumeration.
  private let nextCase: [String: String]

  static func mutants(in text: String, file: String, module: String, nextCase: [String: String]) -> [Mutant] {
    let tree = Parser.parse(source: text)
    // The operators of the program itself are unknown here: their expressions stay as they are.
    let folded = OperatorTable.standardOperators.foldAll(tree) { _ in }
    let finder = Finder(
      file, module, SourceLocationConverter(fileName: file, tree: folded), nextCase: nextCase)
    finder.walk(folded)
    return finder.mutants
  }

  private init(
    _ file: String, _ module: String, _ locations: SourceLocationConverter, nextCase: [String: String]
  ) {
    (self.file, self.module, self.locations, self.nextCase) = (file, module, locations, nextCase)
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Operators

  private static let others = [
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "<<": [">>"],
    ">>": ["<<"], "&": ["|"], "|": ["&"],
  ]

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    let (left, sign, right) = (node.leftOperand, node.operator.trimmedDescription, node.rightOperand)
    let isText = node.trimmedDescription.contains("\"")
    if sign == "..<" || sign == "..." {
      replace(node, "range", with: "\(left.trimmedDescription)\(sign)(\(right.trimmedDescription) - 1)")
    } else if !(isText && sign == "+"), !(sign == "<<" && right.trimmedDescription == "0") {
      for other in Finder.others[sign] ?? [] {
        replace(
          node, "operator",
          with: "\(left.trimmedDescription) \(other) \(right.trimmedDescription)", shown: "\(sign) → \(other)"
        )
      }
    }
    return .visitChildren
  }

  // MARK: Conditions

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    guard case .expression(let condition) = node.condition else { return .visitChildren }
    let isLoop = node.parent?.parent?.is(WhileStmtSyntax.self) == true
    if !isLoop { wrap(condition, "condition", "((", ") != §)", "negated") }
    if condition.trimmedDescription != "true" {
      wrap(condition, "condition", "((", ") || §)", "always true")
    }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    wrap(node.condition, "condition", "((", ") != §)", "negated")
    return .visitChildren
  }

  override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
    guard case .codeBlock(let block) = node.elseBody, node.parent?.is(ExpressionStmtSyntax.self) == true,
      !block.statements.isEmpty
    else { return .visitChildren }
    wrap(block.statements, "else", "if !§ { ", " }", "dropped")
    return .visitChildren
  }

  // MARK: Results

  override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    if let value = node.expression, let type = Finder.returnType(around: Syntax(node)) { result(value, type) }
    return .visitChildren
  }

  private func result(_ value: ExprSyntax, _ type: TypeSyntax) {
    let text = type.trimmedDescription
    switch text {
    case "Bool": wrap(value, "result", "((", ") != §)", "negated")
    case "Int", "Int64", "Int32", "UInt64", "Double":
      replace(value, "result", with: "(\(value.trimmedDescription)) + 1")
    case "String": replace(value, "result", with: "\"\"")
    default:
      if type.is(OptionalTypeSyntax.self), text != "nil" { replace(value, "result", with: "nil") }
      if type.is(ArrayTypeSyntax.self) { replace(value, "result", with: "[]") }
    }
  }

  private static func returnType(around node: Syntax) -> TypeSyntax? {
    var node = node.parent
    while let current = node {
      if let function = current.as(FunctionDeclSyntax.self) {
        return function.signature.returnClause?.type
      }
      if let binding = current.as(PatternBindingSyntax.self), binding.accessorBlock != nil {
        return binding.typeAnnotation?.type
      }
      if current.is(ClosureExprSyntax.self) || current.is(SubscriptDeclSyntax.self) { return nil }
      node = current.parent
    }
    return nil
  }

  // MARK: Statements

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard let items = node.parent?.as(CodeBlockItemListSyntax.self), let owner = items.parent else {
      return .visitChildren
    }
    let isAlone = items.count == 1
    let type = Finder.returnType(around: Syntax(node))
    if isAlone, let type, let value = node.item.as(ExprSyntax.self),
      owner.parent?.is(FunctionDeclSyntax.self) == true || owner.is(AccessorBlockSyntax.self)
    {
      // The value of the function.
      if !value.is(IfExprSyntax.self), !value.is(SwitchExprSyntax.self) { result(value, type) }
      return .visitChildren
    }
    if isAlone, owner.is(ClosureExprSyntax.self) || owner.is(AccessorBlockSyntax.self) {
      return .visitChildren
    }
    switch node.item {
    case .expr(let statement) where Finder.isEffect(statement):
      wrap(node.item, "statement", "if !§ { ", " }", "dropped")
    case .stmt(let statement) where statement.is(ThrowStmtSyntax.self):
      wrap(statement, "statement", "if !§ { ", " }", "dropped")
    default: break
    }
    return .visitChildren
  }

  /// Calls that only save time or memory: more of either nobody notices.
  private static let savings = ["reserveCapacity", "keepFreedPages", "pauseThroughSignals"]

  private static func isEffect(_ statement: ExprSyntax) -> Bool {
    var inner = statement
    while true {
      if let tried = inner.as(TryExprSyntax.self) {
        inner = tried.expression
      } else if let unsafe = inner.as(UnsafeExprSyntax.self) {
        inner = unsafe.expression
      } else {
        break
      }
    }
    let text = inner.trimmedDescription
    let isPlain = ["super.init", "self.init", "fatalError", "precondition", "assert", "Exit."].contains {
      text.hasPrefix($0)
    }
    guard !isPlain, !savings.contains(where: { text.contains($0) }) else { return false }
    if let operation = inner.as(InfixOperatorExprSyntax.self) {
      return ["=", "+=", "-=", "&+=", "|=", "*="].contains(operation.operator.trimmedDescription)
    }
    return inner.is(FunctionCallExprSyntax.self)
  }

  // MARK: Values

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    guard let value = Int(node.literal.text), value <= 100 else { return .skipChildren }
    replace(node, "literal", with: "\(value == 1 ? 2 : value == 0 ? 1 : value - 1)")
    return .skipChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    replace(node, "literal", with: node.literal.text == "true" ? "false" : "true")
    return .skipChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.declName.trimmedDescription
    guard
      node.parent?.is(FunctionCallExprSyntax.self) != true
        || node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id != node.id
    else { return .visitChildren }
    if let base = node.base {
      let other = ["first": "last", "last": "first"][name]
      if let other { replace(node, "member", with: "\(base.trimmedDescription).\(other)") }
      if name == "isEmpty" { wrap(node, "condition", "((", ") != §)", "negated") }
    } else if let next = nextCase[name] {
      replace(node, "case", with: ".\(next)")
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.calledExpression.trimmedDescription
    if Finder.savings.contains(where: { name.hasSuffix($0) }) { return .skipChildren }
    if let other = ["min": "max", "max": "min"][name] {
      replace(
        node, "call", with: "\(other)(\(node.arguments.trimmedDescription))", shown: "\(name) → \(other)")
    }
    return .visitChildren
  }

  // MARK: What is left alone

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: GenericArgumentClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  // MARK: Noting

  private func replace(_ node: some SyntaxProtocol, _ kind: String, with text: String, shown: String? = nil) {
    let original = node.trimmedDescription
    guard !original.contains("\n"), !original.contains("\"\"\""), original != text else { return }
    let (start, end) = Finder.extent(node)
    note(
      node, kind, shown.map { "\($0) in \(original)" } ?? "\(original) → \(text)",
      [.init(start: start, end: end, text: "(§ ? (\(text)) : (\(original)))")])
  }

  private func wrap(
    _ node: some SyntaxProtocol, _ kind: String, _ before: String, _ after: String, _ shown: String
  ) {
    let (start, end) = Finder.extent(node)
    let text = node.trimmedDescription
    // A comment at its end would swallow what follows.
    guard end > start, text.split(separator: "\n").last?.contains("//") == false else { return }
    let short = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    note(
      node, kind, "\(shown): \(short.prefix(120))",
      [.init(start: start, end: start, text: before), .init(start: end, end: end, text: after)])
  }

  private static func extent(_ node: some SyntaxProtocol) -> (Int, Int) {
    (node.positionAfterSkippingLeadingTrivia.utf8Offset, node.endPositionBeforeTrailingTrivia.utf8Offset)
  }

  private func note(_ node: some SyntaxProtocol, _ kind: String, _ change: String, _ edits: [Mutant.Edit]) {
    var function: Syntax? = Syntax(node)
    while let current = function, !Finder.isFunction(current) { function = current.parent }
    let around = function ?? Syntax(node)
    func line(_ position: AbsolutePosition) -> Int { locations.location(for: position).line }
    let first = line(around.positionAfterSkippingLeadingTrivia)
    mutants.append(
      Mutant(
        file: file, module: module, line: line(node.positionAfterSkippingLeadingTrivia),
        function: first...max(first, line(around.endPositionBeforeTrailingTrivia)), kind: kind,
        change: change, edits: edits))
  }

  private static func isFunction(_ node: Syntax) -> Bool {
    node.is(FunctionDeclSyntax.self) || node.is(InitializerDeclSyntax.self)
      || node.is(VariableDeclSyntax.self)
      || node.is(SubscriptDeclSyntax.self)
  }
}

/// Collects the cases of enumerations.
final class CaseCollector: SyntaxVisitor {
  private var enumerations: [[String]] = []

  /// Each case without values that belongs to one enumeration only, with the one that follows.
  static func nextCases(in texts: [String]) -> [String: String] {
    let collector = CaseCollector(viewMode: .sourceAccurate)
    for text in texts { collector.walk(Parser.parse(source: text)) }
    var next: [String: String] = [:]
    var seen: Set<String> = []
    for cases in collector.enumerations where cases.count > 1 {
      for (index, name) in cases.enumerated() {
        next[name] = seen.insert(name).inserted ? cases[(index + 1) % cases.count] : nil
      }
    }
    return next
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    let cases = node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
      .flatMap(\.elements).filter { $0.parameterClause == nil }.map(\.name.text)
    enumerations.append(cases)
    return .visitChildren
  }
}
