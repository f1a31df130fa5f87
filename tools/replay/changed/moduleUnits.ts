import { createHash } from 'node:crypto';
import { type AnyNode, type Program, type Token, parse } from 'acorn';
import {
  type Edit,
  type UnitNode,
  directivesEnd,
  edited,
  functionNode,
  isFunction,
  visitParts,
} from './unitNodes.ts';

/** A part of a module of which it is known whether a replay runs it: a function, a braced branch, or the statements outside of functions (`top`). */
export interface CodeUnit {
  /** The path of names to it within the module; empty for the top level. */
  readonly id: string;
  /** The offset of its beginning in the compiled text. */
  readonly start: number;
  /** Of its compiled tokens, without those of the units in it. */
  readonly hash: string;
}

/** The units of a compiled module, and its text with a marker in each of them. */
export interface ModuleUnits {
  /** The first one is the top level. */
  readonly units: readonly CodeUnit[];
  /** The exported functions that are no part of the top level. */
  readonly exports: readonly string[];
  /** Returns the text in which each unit, when it runs, first evaluates its marker, an expression. */
  instrument(marker: (index: number) => string): string;
}

interface OpenUnit extends UnitNode {
  readonly id: string;
  readonly tokens: string[];
  /** The number of units in it by their names. */
  readonly names: Map<string, number>;
}

/**
 * Divides a compiled module into units. Each token belongs to exactly one of them, except those of parameters that can throw before a marker: they
 * belong to the unit around the function too. A function that is declared at the top level, also as a constant, is no part of the top level: its
 * declaration has no effect. Instead, each unit that contains its name depends on its kind and on what is evaluated before it.
 * @throws {SyntaxError} when the text is not JavaScript.
 */
export function findUnits(code: string): ModuleUnits {
  const tokens: Token[] = [];
  const program = parseProgram(code, tokens);
  const units: OpenUnit[] = [];
  const add = (node: UnitNode, parent?: OpenUnit): OpenUnit => {
    const count = parent?.names.get(node.name) ?? 0;
    parent?.names.set(node.name, count + 1);
    const id = parent === undefined ? '' : `${parent.id}/${node.name}${count > 0 ? `~${count}` : ''}`;
    const unit = { ...node, id, tokens: [], names: new Map<string, number>() };
    units.push(unit);
    return unit;
  };
  const visitChildren = (node: AnyNode, unit: OpenUnit): void =>
    visitParts(node, code, (part, own) => visitChildren(part, own === undefined ? unit : add(own, unit)));
  const top = add(topNode(code, program));
  const exports: string[] = [];
  const free = new Map<string, string>();
  let effects = 0;
  for (const statement of program.body) {
    const declared = declaredFunction(statement);
    if (declared === undefined) {
      if (statement.type !== 'ImportDeclaration') effects++;
      visitChildren(statement, top);
      continue;
    }
    const { name, node, isConstant } = declared;
    const unit = add(
      { ...functionNode(node, code, name), start: statement.start, end: statement.end, placeholder: '' },
      top,
    );
    free.set(name, `${isConstant ? effects : 'hoisted'} ${functionNode(node, code, name).placeholder}`);
    if (statement.type === 'ExportNamedDeclaration') exports.push(name);
    visitChildren(node, unit);
  }
  units.sort((a, b) => a.start - b.start || b.end - a.end);
  assignTokens(code, tokens, { units, free });
  return {
    units: units.map((unit) => ({ id: unit.id, start: unit.start, hash: hashOf(unit.tokens) })),
    exports,
    instrument: (marker) =>
      edited(
        code,
        units.flatMap(({ edits }, index) => edits(marker(index))),
      ),
  };
}

/** Returns a short hash of texts. */
export const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 16);

function parseProgram(code: string, onToken: Token[]): Program {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module', onToken });
  } catch {
    // A module of CommonJS may be sloppy.
    onToken.length = 0;
    const sloppy = { sourceType: 'script', allowReturnOutsideFunction: true } as const;
    return parse(code, { ecmaVersion: 'latest', ...sloppy, onToken });
  }
}

const topNode = (code: string, { body }: Program): UnitNode => ({
  name: '',
  start: 0,
  end: code.length,
  placeholder: '',
  shared: undefined,
  edits: (marker): readonly Edit[] => [{ at: directivesEnd(body, 0), text: `;${marker};` }],
});

/** Returns the function that a statement at the top level declares, if that is all that the statement does. */
function declaredFunction(statement: AnyNode) {
  const declared =
    statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement;
  if (declared.type === 'FunctionDeclaration')
    return { name: declared.id?.name ?? '', node: declared, isConstant: false };
  if (declared.type !== 'VariableDeclaration' || declared.kind !== 'const') return undefined;
  const [{ id, init } = {}, ...others] = declared.declarations;
  if (others.length > 0 || id?.type !== 'Identifier' || !init || !isFunction(init)) return undefined;
  return { name: id.name, node: init, isConstant: true };
}

interface Assigned {
  /** Sorted by their places: a unit is before those in it. */
  readonly units: readonly OpenUnit[];
  /** What a unit depends on when it contains one of these names. */
  readonly free: ReadonlyMap<string, string>;
}

/** Gives each token to the innermost unit around it. In the unit around that one, its placeholder takes their place. */
function assignTokens(code: string, tokens: readonly Token[], { units, free }: Assigned): void {
  const open: OpenUnit[] = [];
  let next = 0;
  let before = '';
  for (const { start, end } of tokens) {
    while ((open.at(-1)?.end ?? Infinity) <= start) open.pop();
    for (let unit = units[next]; unit !== undefined && unit.start <= start; unit = units[++next]) {
      if (unit.placeholder !== '') open.at(-1)?.tokens.push(unit.placeholder);
      open.push(unit);
    }
    const text = code.slice(start, end);
    const about = before === '.' || before === '?.' ? undefined : free.get(text);
    const token = about === undefined ? text : `${text} ${about}`;
    open.at(-1)?.tokens.push(token);
    for (let depth = open.length - 1; depth > 0 && isShared(open[depth], start); depth--)
      open[depth - 1]?.tokens.push(token);
    before = text;
  }
}

const isShared = (unit: OpenUnit | undefined, at: number): boolean =>
  unit?.shared !== undefined && at >= unit.shared[0] && at < unit.shared[1];
