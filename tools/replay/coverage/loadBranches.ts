import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type AnyNode, type Function, type LogicalExpression, type Node, parse } from 'acorn';
import { CHECKOUT } from '../base/bundleSource.ts';
import { type SourcePlace, isOwnSource, readBundledSources } from './bundledSources.ts';

/** A branch of a source file. */
export interface SourceBranch extends SourcePlace {
  /** As reports name it: `function`, `if not taken`, `&& skipped`. */
  readonly kind: string;
  /** The source's line. */
  readonly text: string;
}

/** The branches of one bundled module. */
export interface ModuleBranches {
  /** The name of the module's file. */
  readonly name: string;
  /** The length of its text. */
  readonly length: number;
  readonly branches: readonly ModuleBranch[];
}

/** Finds the branches of the code that Parley replays, in a folder of bundled modules. The same folder always gives the same list. */
export function loadBranches(folder: string): ModuleBranches[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .sort()
    .map((name) => moduleBranches(join(folder, name), CHECKOUT, replayedBranches))
    .filter(({ branches }) => branches.length > 0);
}

/** Finds the branches of an adapter's own sources in its bundle: all except those of packages. */
export const adapterBranches = (bundle: string): ModuleBranches =>
  moduleBranches(bundle, process.cwd(), (all) => all.filter(isOwnSource));

type ModuleBranch = CodeBranch & SourceBranch;
type Selection = (all: readonly ModuleBranch[]) => readonly ModuleBranch[];

/** Finds the branches of all sources of a module with its source map, in the order of its text, and selects some of them. */
function moduleBranches(path: string, root: string, select: Selection): ModuleBranches {
  const { code, placeOf, linesOf } = readBundledSources(path, root);
  const branches = findBranches(code).flatMap((branch) => {
    const { line, column } = branch.position;
    const place = placeOf(line, column);
    if (place === undefined) return [];
    return Object.assign(branch, place, { text: linesOf(place.file)[place.line - 1]?.trim() ?? '' });
  });
  return { name: basename(path), length: code.length, branches: select(branches) };
}

/** The sources that a replay runs. The bundler omits what a replay does not import. */
const REPLAYED = /^src\/shared\//;

/** Sources that read and describe captures, make actions, and format; Parley's adapter, and clocks. */
const OMITTED =
  /^src\/shared\/(?:capture\/(?:captureFormat|parseCapture|describeAction)|actions\/|replay\/|formatText|clock)/;

/**
 * The line of a function that makes actions. Windows and main call it; a capture contains the actions as they were made, so no replay calls
 * it.
 */
const MAKES_ACTIONS =
  /^(?:prepare: |const (?:known|limited|limitError) = |export const \w+ = createAction\('attention\/)/;

/** A branch that the type checker has proved unreachable. */
const UNREACHABLE = /\bsatisfies never\b/;

/** Returns whether a replay can reach a branch of these sources. */
const isReplayed = ({ file, text }: SourceBranch): boolean =>
  REPLAYED.test(file) && !OMITTED.test(file) && !UNREACHABLE.test(text);

/** Returns the branches that a replay can reach. Those of a function that makes actions are no part of a replay either. */
function replayedBranches(all: readonly ModuleBranch[]): ModuleBranch[] {
  const omitted = all.filter(makesActions);
  return all.filter(
    (branch) => isReplayed(branch) && !omitted.some(({ at, end = at }) => branch.at >= at && branch.at < end),
  );
}

const makesActions = ({ kind, text }: SourceBranch): boolean =>
  kind === 'function' && MAKES_ACTIONS.test(text);

/** A branch of a module, as offsets in its text. */
interface CodeBranch {
  readonly kind: string;
  /** Where the branch begins. */
  readonly at: number;
  /** The same as a line, from 1, and a column, from 0. */
  readonly position: { readonly line: number; readonly column: number };
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
  const visit = (node: AnyNode): void => {
    branches.push(...branchesOf(node));
    for (const part of Object.values(node).flat() as unknown[]) if (isNode(part)) visit(part);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true }));
  return branches.sort((a, b) => a.at - b.at);
}

export const isNode = (value: unknown): value is AnyNode =>
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
      const missing = { counted: node.start, except: inside(consequent) };
      return [
        branch('if', consequent),
        alternate ? branch('else', alternate) : branch('if not taken', node, missing),
      ];
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

type Counting = Pick<CodeBranch, 'counted' | 'except' | 'end'>;

/** Returns the branch that begins at a node; its count is that of the node, unless another one is given. */
const branch = (kind: string, node: Node, counting: Counting = { counted: inside(node) }): CodeBranch => ({
  kind,
  at: node.start,
  position: node.loc?.start ?? { line: 1, column: 0 },
  ...counting,
});

/** The body of an arrow function may be another function, which is counted apart. */
const functionBranch = (node: Function): CodeBranch =>
  branch('function', node, {
    end: node.end,
    counted: node.type === 'ArrowFunctionExpression' ? node.start : inside(node.body),
  });

/** Returns both outcomes of the right side of a logical expression: it was evaluated, or skipped. */
function logicalBranches({ operator, left, right }: LogicalExpression): CodeBranch[] {
  // Of `a && b && c`, the left side is `a && b`: V8 counts `c` within the evaluations of `b`.
  const last = left.type === 'LogicalExpression' && left.operator === operator ? left.right : left;
  const skipped = { counted: inside(last), except: inside(right) };
  return [branch(operator, right), branch(`${operator} skipped`, right, skipped)];
}

/** Returns an offset inside a node. A block's own braces may belong to the code around it. */
const inside = ({ type, start }: Node): number => (type === 'BlockStatement' ? start + 1 : start);
