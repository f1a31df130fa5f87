import type { AnyNode, Node, Pattern } from 'acorn';

/** An insertion into a text, or the replacement of a part of it. */
export interface Edit {
  readonly at: number;
  readonly end?: number;
  readonly text: string;
  /** Whether it ends what an earlier insertion began. */
  readonly isClosing?: true;
}

/** A unit of a module (`CodeUnit`), with how it is marked. */
export interface UnitNode {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** What stands for it in the hash of the unit around it: what that unit can observe of a function that is not called. */
  readonly placeholder: string;
  /** A part that can throw before the marker. */
  readonly shared: readonly [number, number] | undefined;
  readonly edits: (marker: string) => readonly Edit[];
}

type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;

export const isFunction = (node: AnyNode): node is FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression';

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Calls back for each part of a node; with a unit if the part is one. */
export function visitParts(
  node: AnyNode,
  code: string,
  visit: (part: AnyNode, unit?: UnitNode) => void,
): void {
  const named = 'key' in node ? node.key : node.type === 'VariableDeclarator' ? node.id : undefined;
  const name = named?.type === 'Identifier' || named?.type === 'PrivateIdentifier' ? named.name : '';
  for (const [field, value] of Object.entries(node))
    for (const part of [value].flat() as unknown[]) {
      if (!isNode(part)) continue;
      if (isFunction(part)) visit(part, functionNode(part, code, part.id?.name ?? name));
      else visit(part, branchNode(part, `${node.type} ${field}`));
    }
}

const BRANCHES: Readonly<Record<string, string>> = {
  'IfStatement consequent': '(if)',
  'IfStatement alternate': '(else)',
  'CatchClause body': '(catch)',
};

/** Returns the unit of a braced branch. A variable of the function in it belongs to the function, and so does the branch. */
function branchNode(node: AnyNode, place: string): UnitNode | undefined {
  const name = BRANCHES[place];
  if (name === undefined || node.type !== 'BlockStatement' || declaresVariable(node)) return undefined;
  const edits = (marker: string) => [{ at: node.start + 1, text: `${marker};` }];
  return { name, start: node.start, end: node.end, placeholder: '{…}', shared: undefined, edits };
}

const declaresVariable = (node: AnyNode): boolean =>
  (node.type === 'VariableDeclaration' && node.kind === 'var') ||
  partsOf(node).some((part) => !isFunction(part) && declaresVariable(part));

const partsOf = (node: AnyNode): AnyNode[] => (Object.values(node).flat() as unknown[]).filter(isNode);

/** Returns the unit of a function. */
export function functionNode(node: FunctionNode, code: string, name: string): UnitNode {
  const { params, body, start, end } = node;
  const kind = `${node.type === 'ArrowFunctionExpression' ? '=>' : 'function'}${node.async ? ' async' : ''}${node.generator ? '*' : ''}`;
  const length = params.findIndex(({ type }) => type === 'AssignmentPattern' || type === 'RestElement');
  const plan = parameterPlan(node);
  const last = params.at(-1);
  return {
    name: name === '' ? '=>' : name,
    start,
    end,
    placeholder: `ƒ ${kind} ${length === -1 ? params.length : length} ${name}`,
    shared: plan === undefined && last !== undefined ? [params[0]?.start ?? start, last.end] : undefined,
    edits(marker) {
      const { replaced, declared } = parameterEdits(plan ?? [], { code, marker });
      if (body.type === 'BlockStatement')
        return [
          ...replaced,
          { at: directivesEnd(body.body, body.start + 1), text: `;${marker};${declared}` },
        ];
      if (declared === '') return [...replaced, ...aroundExpression(body, marker)];
      return [
        ...replaced,
        { at: afterArrow(node, code), text: `{${marker};${declared} return (` },
        { at: end, text: ');}', isClosing: true },
      ];
    },
  };
}

/** Returns the offset after the arrow of an arrow function: its body may be in parentheses. */
function afterArrow({ params, body, start }: FunctionNode, code: string): number {
  const from = params.at(-1)?.end ?? start;
  return code.lastIndexOf('=>', body.start) >= from ? code.lastIndexOf('=>', body.start) + 2 : body.start;
}

/**
 * Returns the parameters that can throw, in such a way that the marker is evaluated before: patterns, which become variables of the body, and default
 * values. Returns `undefined` when that is not possible.
 */
function parameterPlan({ params, generator }: FunctionNode): readonly Pattern[] | undefined {
  const special = params.filter(
    (param) =>
      param.type !== 'Identifier' && !(param.type === 'RestElement' && param.argument.type === 'Identifier'),
  );
  const patterns = special.filter(({ type }) => type === 'ObjectPattern' || type === 'ArrayPattern');
  if (patterns.length === 0) {
    const areDefaults = special.every(
      (one) => one.type === 'AssignmentPattern' && one.left.type === 'Identifier',
    );
    return areDefaults ? special : undefined;
  }
  // The marker of a generator is evaluated later than its parameters.
  const areMovable = patterns.length === special.length && !patterns.some((one) => containsFunction(one));
  return areMovable && !generator ? patterns : undefined;
}

const containsFunction = (node: AnyNode): boolean =>
  isFunction(node) || node.type === 'ClassExpression' || partsOf(node).some(containsFunction);

function parameterEdits(
  plan: readonly Pattern[],
  { code, marker }: { readonly code: string; readonly marker: string },
) {
  const replaced: Edit[] = [];
  let declared = '';
  for (const [index, param] of plan.entries()) {
    if (param.type === 'AssignmentPattern') {
      replaced.push(...aroundExpression(param.right, marker));
    } else {
      replaced.push({ at: param.start, end: param.end, text: `__parley${index}` });
      declared += `var ${code.slice(param.start, param.end)}=__parley${index};`;
    }
  }
  return { replaced, declared };
}

const aroundExpression = ({ start, end }: Node, marker: string): readonly Edit[] => [
  { at: start, text: `(${marker},` },
  { at: end, text: ')', isClosing: true },
];

/** Returns the offset after the directives at the beginning of statements. */
export function directivesEnd(statements: readonly Node[], start: number): number {
  const first = statements.findIndex((statement) => !('directive' in statement));
  return (first === -1 ? statements : statements.slice(0, first)).at(-1)?.end ?? start;
}

/** Applies edits to a text. At one place, the insertions of inner units are inside those of outer ones, which come first in the list. */
export function edited(code: string, edits: readonly Edit[]): string {
  const closing = edits.filter(({ isClosing }) => isClosing).toReversed();
  const opening = edits.filter(({ isClosing }) => !isClosing);
  let done = 0;
  let text = '';
  for (const { at, end = at, text: added } of [...closing, ...opening].sort((a, b) => a.at - b.at)) {
    text += code.slice(done, at) + added;
    done = Math.max(done, end);
  }
  return text + code.slice(done);
}
