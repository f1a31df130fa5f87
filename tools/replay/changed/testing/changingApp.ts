import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { git } from '../../compare/addWorktree.ts';
import { commitAll } from '../../compare/testing/repository.ts';
import { runTool, temporaryFolder, writeCapture } from '../../testing/files.ts';
import { reportSchema } from '../../verify/resultsFile.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

/** What an operation of the app is written as: a function of each kind. `#` is its number. */
const OPERATIONS = [
  'export function op#(state: S, v: number): S { return { ...state, a: state.a + v * # }; }',
  'export const op# = (state: S, v: number): S => ({ ...state, b: state.b - v + # });',
  'export const op# = (state: S, v: number): S => { if (v > 3) { return { ...state, c: v }; } else { return { ...state, c: # }; } };',
  'export function op#({ a, ...state }: S, v = #): S { return { ...state, a: a === v ? 0 : v }; }',
  'class Box# { #value = #; get value() { return this.#value; } add(n: number) { this.#value += n; return this; } }\nexport const op# = (state: S, v: number): S => ({ ...state, d: new Box#().add(v).value });',
  'function* count#(n: number) { for (const i of [1, 2, 3]) if (i < n) yield i + #; }\nexport const op# = (state: S, v: number): S => ({ ...state, e: [...count#(v)] });',
  'let cache#: number | undefined;\nconst compute# = () => # * 2 + 1;\nexport function op#(state: S, v: number): S { cache# ??= compute#(); return { ...state, f: cache# + v }; }',
  'export function op#(state: S, v: number): S { try { if (v > 4) throw new Error("x"); return { ...state, g: v }; } catch { return { ...state, g: -# }; } }',
  'const table# = { low: (n: number) => n + #, high: (n: number) => n * 2 };\nexport const op# = (state: S, v: number): S => ({ ...state, h: table#[v > 2 ? "high" : "low"](v) });',
  'export const op# = (state: S, v: number): S => [1, 2].map((i) => i * v).filter((n) => n > 2 && n !== #).reduce((s, n) => ({ ...s, i: n || LIMIT }), state);',
];

const ADAPTER = `import { operations } from './operations.ts';
const parse = (data) => { const [op, v] = JSON.parse(data); return { op, v }; };
export const adapter = {
  name: 'operations',
  decode: (data) => ({ update: parse(data) }),
  kind: ({ op }) => 'op' + op,
  initialState: { a: 1, b: 2 },
  reduce: (state, { op, v }) => operations[op](state, v),
};
`;

const [COUNT, PER_FILE] = [30, 10];

function operationSources(): Record<string, string> {
  const files: Record<string, string> = { 'adapter.ts': ADAPTER, 'limits.ts': 'export const LIMIT = 7;\n' };
  const HEAD = `import { LIMIT } from './limits.ts';
export type S = { [name: string]: any };
export const limit = LIMIT;
`;
  const numbers = Array.from({ length: COUNT }, (_, i) => i);
  const list = numbers.map((i) => {
    const part = `part${Math.floor(i / PER_FILE)}`;
    const name = `${part}.ts`;
    files[name] = `${files[name] ?? HEAD}${OPERATIONS[i % PER_FILE]?.replaceAll(/#(?!value)/g, `${i}`)}\n`;
    return `${part}.op${i}`;
  });
  const imports = [0, 1, 2].map((i) => `import * as part${i} from './part${i}.ts';\n`).join('');
  files['operations.ts'] = `${imports}export const operations = [${list.join(', ')}];\n`;
  return files;
}

/** A repository with an app of operations, with its captures, their goldens and a commit. */
export async function changingApp(captures = 30) {
  const at = await temporaryFolder();
  const [folder, sessions] = [at('app'), at('app/captures')];
  await mkdir(sessions, { recursive: true });
  await symlink(join(ROOT, 'node_modules'), at('app/node_modules'));
  await writeOperations(folder, captures);
  await writeFile(at('app/.gitignore'), 'node_modules\n.parley-index\n');
  const app = ['--app', at('app/adapter.ts')];
  const commit = (message: string) => commitAll(folder, message);
  await git(folder, 'init', '--quiet');
  await runTool('verify', sessions, '--update', ...app);
  await commit('as it stands');
  return {
    folder,
    sessions,
    app,
    commit,
    index: () => runTool('index', sessions, ...app),
    verify: (...options: readonly string[]) => runTool('verify', sessions, ...app, ...options),
    /** Returns the captures that fail, with their signatures; and the number of those that were omitted. */
    async failures(...options: readonly string[]) {
      const { out, err } = await runTool('verify', sessions, ...app, '--json', ...options);
      if (out === '') return { failures: [err.replace(/^.*(?=--app)/s, '')], omitted: 0 };
      const report = reportSchema.parse(JSON.parse(out));
      const failed = report.results.filter(({ outcome }) => outcome !== 'same');
      const failures = failed.map(({ capture, signature }) => `${capture} ${signature}`).sort();
      return { failures, omitted: report.omitted ?? 0 };
    },
    /** Runs with another text of a source, which is then as before. */
    async withSource<T>(name: string, text: string, check: () => Promise<T>): Promise<T> {
      const before = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), text);
      try {
        return await check();
      } finally {
        await writeFile(join(folder, name), before);
      }
    },
  };
}

async function writeOperations(folder: string, captures: number): Promise<void> {
  for (const [name, text] of Object.entries(operationSources())) await writeFile(join(folder, name), text);
  for (let n = 0; n < captures; n++) {
    const records = [0, 1, 2, 3].map((i) => {
      const data = JSON.stringify([(n * 7 + i * i * 3) % COUNT, (n + i) % 6]);
      return { t: i * 10, type: 'recv', data } as const;
    });
    await writeCapture(join(folder, 'captures', `${n}.parley.jsonl`), records);
  }
}
