import { type AnyNode, type Function, type LogicalExpression, type Node, parse } from 'acorn';

/** The kinds of branches, as reports name them. */
export type BranchKind =
  | 'function'
  | 'if'
  | 'if not taken'
  | 'else'
  | '?'
  | ':'
  | '&&'
  | '||'
  | '??'
  | '&& skipped'
  | '|| skipped'
  | '?? skipped'
  | 'case'
  | 'default'
  | 'loop'
  | 'catch';

/** A branch of a module, as offsets in its text. */
export interface CodeBranch {
  readonly kind: BranchKind;
  /** Where the branch begins. */
  readonly at: number;
  /** Where a function ends. */
  readonly end?: number;
  /** The place whose count is that of the branch. */
  readonly counted: number;
  /** A place whose count is subtracted: V8 does not count a branch without code, such as the missing `else` of an `if`. */
  readonly except?: number;
}

/**
 * Finds the branches of a module: functions, both sides of `if` and `?:`, both outcomes of `&&`, `||` and `??`, cases with statements,
 * bodies of loops, and `catch`. Optional chaining and default values are not branches: V8 does not count them.
 * @throws {SyntaxError} when the text is not a module.
 */
export function findBranches(code: string): CodeBranch[] {
  const branches: CodeBranch[] = [];
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), branches);
  return branches.sort((a, b) => a.at - b.at);
}

/** Adds the branches of a node and of its parts. */
function visit(node: AnyNode, into: CodeBranch[]): void {
  into.push(...branchesOf(node));
  for (const part of Object.values(node) as unknown[]) {
    for (const one of Array.isArray(part) ? part : [part]) if (isNode(one)) visit(one, into);
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function branchesOf(node: AnyNode): CodeBranch[] {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other nodes have no branches
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [functionBranch(node)];
    case 'IfStatement': {
      const { consequent, alternate } = node;
      const missing = {
        kind: 'if not taken',
        at: node.start,
        counted: node.start,
        except: inside(consequent),
      } as const;
      return [branch('if', consequent), alternate ? branch('else', alternate) : missing];
    }
    case 'ConditionalExpression':
      return [branch('?', node.consequent), branch(':', node.alternate)];
    case 'LogicalExpression':
      return logicalBranches(node);
    case 'SwitchStatement':
      return node.cases.flatMap(({ test, consequent: [first] }) =>
        first === undefined ? [] : branch(test ? 'case' : 'default', first),
      );
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
      return [branch('loop', node.body)];
    case 'CatchClause':
      return [branch('catch', node.body)];
    default:
      return [];
  }
}

const branch = (kind: BranchKind, node: Node): CodeBranch => ({
  kind,
  at: node.start,
  counted: inside(node),
});

/** The body of an arrow function may be another function, which is counted apart. */
const functionBranch = ({ type, start, end, body }: Function): CodeBranch => ({
  kind: 'function',
  at: start,
  end,
  counted: type === 'ArrowFunctionExpression' ? start : inside(body),
});

/** Returns both outcomes of the right side of a logical expression: it was evaluated, or skipped. */
function logicalBranches({ operator, left, right }: LogicalExpression): CodeBranch[] {
  // Of `a && b && c`, the left side is `a && b`: V8 counts `c` within the evaluations of `b`.
  const last = left.type === 'LogicalExpression' && left.operator === operator ? left.right : left;
  return [
    branch(operator, right),
    { kind: `${operator} skipped`, at: right.start, counted: inside(last), except: inside(right) },
  ];
}

/** Returns an offset inside a node. A block's own braces may belong to the code around it. */
const inside = ({ type, start }: Node): number => (type === 'BlockStatement' ? start + 1 : start);
