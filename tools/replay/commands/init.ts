import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command } from '@commander-js/extra-typings';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { errorCode } from '#shared/formatText.ts';
import { isJsonObject, tryParseJson } from '#shared/json.ts';
import type { CommandMaker } from '../adapter/loadAdapter.ts';
import { UsageError } from '../base/errors.ts';
import { type Place, findParts } from '../init/findParts.ts';
import workflow from '../init/replay.yml?raw';
import { CAPTURES, type Project, adapterText, quoted, singleStore, testText } from '../init/templates.ts';

/** Creates the command `init` of the npm package, which prepares a project for the replay of its sessions. It writes only files that do not exist. */
export const initCommand: CommandMaker = ({ output }) =>
  new Command('init')
    .description(
      'prepares the project in this folder: writes replay.adapter.ts, a test and a CI job; keeps what exists',
    )
    .option('--store <file>', 'the module that makes the store, when there are several')
    .option('--socket <file>', 'the module that opens the connection, when there are several')
    .action(async ({ store, socket }) => {
      const manifest = await readManifest();
      const { stores, feeds } = await findParts('.');
      const project: Project = {
        name: manifest.name,
        isTypeScript: existsSync('tsconfig.json'),
        store: await choose({ what: 'the store', option: '--store', given: store, found: stores }),
        feed: await choose({ what: 'the connection', option: '--socket', given: socket, found: feeds }),
      };
      const extension = project.isTypeScript ? 'ts' : manifest.isModule ? 'js' : 'mjs';
      const adapter = `replay.adapter.${extension}`;
      const files = [
        [adapter, adapterText(project)],
        ...(manifest.hasVitest ? [[`replay.test.${extension}`, testText(adapter)] as const] : []),
        ['.github/workflows/replay.yml', workflow],
      ] as const;
      for (const [path, text] of files) output.out(`${await writeNew(path, text)} ${path}\n`);
      output.out(nextSteps(project, { adapter, hasVitest: manifest.hasVitest }));
    });

/** Reads what `init` needs of the project's package.json. @throws {UsageError} when there is none. */
async function readManifest() {
  const text = await readFile('package.json', 'utf8').catch((cause: unknown) => {
    throw new UsageError(`package.json: ${readErrorReason(cause)}; run init in the folder of your project`, {
      cause,
    });
  });
  const manifest = tryParseJson(text);
  if (!isJsonObject(manifest)) throw new UsageError('package.json: is not a JSON object');
  const { name, type, dependencies, devDependencies } = manifest;
  const packages = { ...Object(dependencies), ...Object(devDependencies) };
  return {
    name: typeof name === 'string' ? name : 'app',
    isModule: type === 'module',
    hasVitest: Object.hasOwn(packages, 'vitest'),
  };
}

interface Choice<P extends Place> {
  readonly what: string;
  readonly option: string;
  readonly given: string | undefined;
  readonly found: readonly P[];
}

const listed = (places: readonly Place[]): string =>
  places.map(({ file, line, text }, index) => `  ${index + 1}  ${file}:${line}  ${text}\n`).join('');

/** Returns the only place that was found, or the one that the person names. @throws {UsageError} when none is clear. */
async function choose<P extends Place>({ what, option, given, found }: Choice<P>): Promise<P> {
  const named = given === undefined ? found : found.filter(({ file }) => file === given.replace(/^\.\//, ''));
  const [only] = named;
  if (only === undefined)
    throw new UsageError(
      given === undefined
        ? `${what} was not found in this folder; init looks for configureStore, zustand’s create, WebSocket, EventSource and readers of fetch`
        : `${option} ${given}: ${what} is not made there`,
    );
  if (named.length === 1) return only;
  if (!process.stdin.isTTY)
    throw new UsageError(
      `${what} is made in ${named.map(({ file }) => file).join(', ')}: name one with ${option}`,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Which is ${what} of your app?\n${listed(named)}Number: `);
    const chosen = named[Number(answer) - 1];
    if (chosen === undefined) throw new UsageError(`${answer}: not a number from 1 to ${named.length}`);
    return chosen;
  } finally {
    terminal.close();
  }
}

/** Writes a file that does not exist yet; says what it did. @throws {UsageError} when it cannot be written. */
async function writeNew(path: string, text: string): Promise<'wrote' | 'kept '> {
  try {
    await mkdir(dirname(join('.', path)), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    return 'wrote';
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'kept ';
    throw new UsageError(`${path}: ${readErrorReason(error)}`, { cause: error });
  }
}

/** Says what a person does next. */
const nextSteps = (
  { name, feed, store }: Project,
  { adapter, hasVitest }: { adapter: string; hasVitest: boolean },
) => `
Next
  1. ${adapter}: write onFrame, which does what ${feed.file}:${feed.line} does with each frame.${
    store.factory === undefined && singleStore(store) === undefined
      ? `\n     ${store.file}: export a function that returns a new store.`
      : ''
  }
  2. Record a session where your app connects (${feed.file}:${feed.line}):
       import { createRecorder } from '@parley/replay/record';
       const recorder = createRecorder({ app: ${quoted(name)}, clear: ['type'] });
       ${RECORD[feed.kind]}
     All texts are replaced in the capture, except codes in the fields that \`clear\` names: name the fields that your code compares with constants
     or parses as JSON. If your app calls its server, record that too: globalThis.fetch = recorder.fetch(fetch);
     and save it to ${CAPTURES}/: recorder.save() returns the text of a capture, recorder.download() saves it in a browser.
  3. npx parley-replay verify ${CAPTURES} --update   writes what each session leads to: read it, and commit it
  4. npx parley-replay verify ${CAPTURES}            ${hasVitest ? 'or your tests: ' : ''}says from now on what a change of your code changes
     npx parley-replay open ${CAPTURES}/<capture>    shows a session step by step
`;

const RECORD: Record<Project['feed']['kind'], string> = {
  WebSocket: 'const socket = new (recorder.webSocket(WebSocket))(url);',
  EventSource: 'const events = new (recorder.eventSource(EventSource))(url);',
  'fetch stream': 'const fetch = recorder.fetch(globalThis.fetch);',
};
