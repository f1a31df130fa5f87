import { createHash } from 'node:crypto';
import { type AnyNode, type Node, type Token, parse } from 'acorn';
import { isNode } from '../coverage/loadBranches.ts';

/** A part of a module of which it is known whether a replay runs it: a function, a braced branch, or the statements outside of functions (the top level). */
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
  /** Returns the text in which each unit, when it runs, first evaluates its marker, an expression that is true. */
  instrument(marker: (index: number) => string): string;
}

/** A unit, and how it is marked. */
interface UnitNode {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** What stands for it in the unit around it: what that unit can observe of a function that is not called. */
  readonly placeholder: string;
  /** The end of the parameters that can throw before the marker. */
  readonly sharedUntil: number;
  /** The place of the marker, and whether it is before an expression. */
  readonly at: number;
  readonly isExpression: boolean;
}

interface OpenUnit extends UnitNode {
  readonly id: string;
  readonly tokens: string[];
  /** The number of units in it by their names. */
  readonly names: Map<string, number>;
}

/**
 * Divides a compiled module into units. Each token belongs to exactly one of them, except those of parameters that can throw before a marker: they
 * belong to the unit around the function too.
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
  const visit = (node: AnyNode, unit: OpenUnit): void => {
    for (const [field, value] of Object.entries(node))
      for (const part of [value].flat() as unknown[]) {
        if (!isNode(part)) continue;
        const own = functionNode(part, node) ?? branchNode(part, `${node.type} ${field}`, code);
        visit(part, own === undefined ? unit : add(own, unit));
      }
  };
  const top = { name: '', start: 0, end: code.length, placeholder: '', sharedUntil: 0, isExpression: false };
  visit(program, add({ ...top, at: directivesEnd(program.body, 0) }));
  units.sort((a, b) => a.start - b.start || b.end - a.end);
  assignTokens(code, tokens, units);
  return {
    units: units.map(({ id, start, tokens: own }) => ({ id, start, hash: hashOf(own) })),
    instrument(marker) {
      const marks = units.map(({ at, isExpression }, index) => ({
        at,
        text: isExpression ? `!(${marker(index)})?0:` : `;${marker(index)};`,
      }));
      marks.sort((a, b) => a.at - b.at);
      const marked = marks.map(({ at, text }, i) => text + code.slice(at, marks[i + 1]?.at));
      return code.slice(0, marks[0]?.at) + marked.join('');
    },
  };
}

/** Returns a short hash of texts. */
export const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('base64url').slice(0, 16);

function parseProgram(code: string, onToken: Token[]) {
  try {
    return parse(code, { ecmaVersion: 'latest', sourceType: 'module', onToken });
  } catch {
    // A module of CommonJS may be sloppy.
    onToken.length = 0;
    const sloppy = { sourceType: 'script', allowReturnOutsideFunction: true } as const;
    return parse(code, { ecmaVersion: 'latest', ...sloppy, onToken });
  }
}

/** Returns the unit of a function. */
function functionNode(node: AnyNode, parent: AnyNode): UnitNode | undefined {
  if (!/^(?:Arrow)?Function(?:Declaration|Expression)$/.test(node.type) || !('params' in node))
    return undefined;
  const { type, params, body, start, end } = node;
  const named = node.id ?? ('key' in parent ? parent.key : 'id' in parent ? parent.id : undefined);
  const name = named?.type === 'Identifier' || named?.type === 'PrivateIdentifier' ? named.name : '';
  const length = params.findIndex((param) => /^(?:AssignmentPattern|RestElement)$/.test(param.type));
  const isBlock = body.type === 'BlockStatement';
  return {
    name: name || '=>',
    start,
    end,
    placeholder: `ƒ ${type} ${node.async} ${node.generator} ${length === -1 ? params.length : length} ${name}`,
    sharedUntil: params.every((param) => param.type === 'Identifier') ? 0 : (params.at(-1)?.end ?? 0),
    at: isBlock ? directivesEnd(body.body, body.start + 1) : body.start,
    isExpression: !isBlock,
  };
}

const BRANCHES: Readonly<Record<string, string>> = {
  'IfStatement consequent': '(if)',
  'IfStatement alternate': '(else)',
  'CatchClause body': '(catch)',
};

/** Returns the unit of a braced branch. What can declare a name in the function around it belongs to the function. */
function branchNode({ type, start, end }: AnyNode, place: string, code: string): UnitNode | undefined {
  const name = BRANCHES[place];
  const isUnit = type === 'BlockStatement' && !/\b(?:var|function)\b/.test(code.slice(start, end));
  if (name === undefined || !isUnit) return undefined;
  return { name, start, end, placeholder: '{…}', sharedUntil: 0, at: start + 1, isExpression: false };
}

/** Returns the offset after the directives at the beginning of statements. */
function directivesEnd(statements: readonly Node[], start: number): number {
  const first = statements.findIndex((statement) => !('directive' in statement));
  return (first === -1 ? statements : statements.slice(0, first)).at(-1)?.end ?? start;
}

/** Gives each token to the innermost of the units around it, which are sorted by their places. In the unit around that one, its placeholder takes their place. */
function assignTokens(code: string, tokens: readonly Token[], units: readonly OpenUnit[]): void {
  const open: OpenUnit[] = [];
  const give = (token: string, start: number) => {
    let depth = open.length - 1;
    open[depth]?.tokens.push(token);
    while (start < (open[depth--]?.sharedUntil ?? 0)) open[depth]?.tokens.push(token);
  };
  let next = 0;
  for (const { start, end } of tokens) {
    while ((open.at(-1)?.end ?? Infinity) <= start) open.pop();
    for (let unit = units[next]; unit !== undefined && unit.start <= start; unit = units[++next]) {
      give(unit.placeholder, start);
      open.push(unit);
    }
    give(code.slice(start, end), start);
  }
}
