import { readFileSync, readdirSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { type AnyNode, type Function, type LogicalExpression, type Node, parse } from 'acorn';

/** A branch of a source file. */
export interface SourceBranch {
  /** Relative to the root of the sources. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly kind: BranchKind;
  /** The source's line. */
  readonly text: string;
}

/** The branches of one bundled module. */
export interface ModuleBranches {
  /** The name of the module's file. */
  readonly name: string;
  /** The length of its text. */
  readonly length: number;
  readonly branches: readonly (CodeBranch & SourceBranch)[];
}

/** Finds the branches of the replayed code in a folder of bundled modules. The same folder always gives the same list. */
export function loadBranches(folder: string): ModuleBranches[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js.map'))
    .sort()
    .flatMap((mapName) => {
      // The bundler wrote it.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const map = JSON.parse(readFileSync(join(folder, mapName), 'utf8')) as Payload;
      if (!map.sources.some((source) => isReplayed({ file: sourceFile(source), text: '' }))) return [];
      const name = basename(mapName, '.map');
      const code = readFileSync(join(folder, name), 'utf8');
      return { name, length: code.length, branches: sourceBranches(code, map) };
    });
}

/** A source map. */
type Payload = ConstructorParameters<typeof SourceMap>[0];

/** Finds the branches of a module's sources that a replay can reach, in the order of the module's text. */
function sourceBranches(code: string, payload: Payload): (CodeBranch & SourceBranch)[] {
  const all = allBranches(code, payload, sourceFile);
  const omitted = all.filter(makesActions);
  return all.filter(
    (branch) => isReplayed(branch) && !omitted.some(({ at, end = at }) => branch.at >= at && branch.at < end),
  );
}

/**
 * Finds the branches of all sources of a module, in the order of the module's text.
 * @param fileOf returns the name of a source, which is a path relative to the module.
 */
function allBranches(
  code: string,
  payload: Payload,
  fileOf: (source: string) => string,
): (CodeBranch & SourceBranch)[] {
  const place = sourcePlaces(code, payload);
  return findBranches(code).flatMap((branch) => {
    const found = place(branch.at);
    return found === undefined ? [] : [{ ...branch, ...found, file: fileOf(found.file) }];
  });
}

/** Returns the path of a source from the root of the sources; in the map, it is relative to the module. */
const sourceFile = (source: string): string => source.replace(/^(?:\.\.\/)+/, '');

/** Returns a function from offsets in a module to places in its sources. */
function sourcePlaces(code: string, payload: Payload) {
  const map = new SourceMap(payload);
  const lines = new Map(
    payload.sources.map((source, i) => [source, payload.sourcesContent[i]?.split('\n') ?? []]),
  );
  const position = positionsIn(code);
  return (offset: number) => {
    const { line, column } = position(offset);
    const entry = map.findEntry(line, column);
    if (!('originalSource' in entry)) return undefined;
    const { originalSource, originalLine, originalColumn } = entry;
    return {
      file: originalSource,
      line: originalLine + 1,
      column: originalColumn + 1,
      text: lines.get(originalSource)?.[originalLine]?.trim() ?? '',
    };
  };
}

/** Returns a function from offsets in a text to positions, from 0. */
function positionsIn(text: string) {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return (offset: number) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low, column: offset - (starts[low] ?? 0) };
  };
}

const INLINE_MAP =
  /\n\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,(?<map>[\w+/=]+)\s*$/;

/**
 * Finds the branches of an adapter's own sources in its bundle: all except those of packages.
 * @throws {UsageError} when the bundle has no source map.
 */
export function adapterBranches(file: string): ModuleBranches {
  const code = readFileSync(file, 'utf8');
  const encoded = INLINE_MAP.exec(code)?.groups?.map;
  if (encoded === undefined) throw new UsageError(`${file}: the bundle of the adapter has no source map`);
  // The bundler wrote it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const map = JSON.parse(Buffer.from(encoded, 'base64').toString()) as Payload;
  const fileOf = (source: string) => relative(process.cwd(), resolve(dirname(file), source));
  const branches = allBranches(code, map, fileOf).filter(({ file: source }) => isOwn(source));
  return { name: basename(file), length: code.length, branches };
}

/** The bundler's own sources have names that begin with a zero. */
const isOwn = (source: string): boolean => !source.includes('node_modules/') && !source.includes('\0');

/** The sources that a replay runs. The bundler omits what a replay does not import. */
const REPLAYED = /^src\/shared\//;

/** Sources that read captures, name the recorded actions, and make actions; Parley's adapter, and the clock of tests, which the app does not have. */
const OMITTED =
  /^src\/shared\/(?:capture\/(?:format|parse|upgrade)|actions\/|replay\/|clip|errorCode|pluralize|store\/outgoing|time\/virtualClock|window\/(?:file|limitText|payloads)\.)/;

/**
 * The line of a function that makes actions. Windows and main call it; a capture contains the actions as they were made, so no replay calls
 * it.
 */
const MAKES_ACTIONS =
  /^(?:prepare: |const (?:known|limited|limitError) = |export const \w+ = createAction\('attention\/)/;

/** A branch that the type checker has proved unreachable. */
const UNREACHABLE = /\bsatisfies never\b/;

/** Returns whether a replay can reach a branch of these sources. */
const isReplayed = ({ file, text }: { readonly file: string; readonly text: string }): boolean =>
  REPLAYED.test(file) && !OMITTED.test(file) && !UNREACHABLE.test(text);

/** Returns whether a branch is a function that makes actions: its own branches are no part of a replay either. */
const makesActions = ({ kind, text }: { readonly kind: BranchKind; readonly text: string }): boolean =>
  kind === 'function' && MAKES_ACTIONS.test(text);

/** The kinds of branches, as reports name them. */
type BranchKind =
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
interface CodeBranch {
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
