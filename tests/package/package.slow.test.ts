import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { git } from '#replay/compare/addWorktree.ts';
import { commitAll } from '#replay/compare/testing/repository.ts';
import { launchHeadlessShell } from '../browser/harness/chromium.ts';
import { describePackage } from './describePackage.ts';
import { type Edit, type Project, createProject, packPackage } from './project.ts';

/** The most lines that a person may have to write. */
const MOST_LINES = 20;
/** The most packages that an installation may add: the README of the package names it. */
const MOST_PACKAGES = 60;
const CAPTURE = 'captures/session.parley.jsonl';

let tarball = '';
beforeAll(async () => {
  tarball = await packPackage();
});

describePackage(() => process.execPath);

test('an installation adds few packages, and Node loads neither Electron nor React', async () => {
  const project = await createProject('service');
  await project.install(tarball);
  const { packages } = JSON.parse(await readFile(project.at('node_modules/.package-lock.json'), 'utf8'));
  // Without those that the service has itself.
  const names = Object.entries(packages).flatMap(([name, entry]) => {
    const { dev, devOptional } = Object(entry);
    return dev === true || devOptional === true ? [] : name;
  });
  expect(names).toContain('node_modules/@parley/replay');
  expect(names.length).toBeLessThanOrEqual(MOST_PACKAGES);
  expect(names.join('\n')).not.toMatch(/electron|react/);

  const dist = project.at('node_modules/@parley/replay/dist');
  const maps = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js.map'));
  const texts = await Promise.all(maps.map((name) => readFile(`${dist}/${name}`, 'utf8')));
  const sources = texts.flatMap((map): string[] => JSON.parse(map).sources).join('\n');
  expect(sources).toMatch(/\/replayTool\.ts$/m);
  expect(sources).not.toMatch(/node_modules\/(?:electron|react)/);
});

const edit = (file: string, from: string, to: string): Edit => ({ file, from, to });

/** What a person writes after `init` to replay the sessions of a chat with Redux Toolkit and a WebSocket, which does not know the tool. */
const LINES: readonly Edit[] = [
  {
    file: 'src/recorder.ts',
    to: `import { createRecorder } from '@parley/replay/record';

export const recorder = createRecorder({ app: 'chat-app', clear: ['event', 'post'] });
Object.assign(globalThis, { recorder });
`,
  },
  edit('src/main.ts', 'import { actions', "import { recorder } from './recorder';\nimport { actions"),
  edit('src/main.ts', 'new WebSocket(', 'new (recorder.webSocket(WebSocket))('),
  edit('src/main.ts', 'const store = ', 'globalThis.fetch = recorder.fetch(fetch);\nconst store = '),
  edit('src/store.ts', 'import type', "import { recorder } from './recorder';\nimport type"),
  edit(
    'src/store.ts',
    '  return configureStore({ reducer });\n',
    `  const userActions = recorder.middleware({ record: ({ type }) => /Selected/.test(type) });
  return configureStore({ reducer, middleware: (defaults) => defaults().concat(userActions) });
`,
  ),
  edit(
    'replay.adapter.ts',
    'import { createAppStore } from',
    "import { handleEvent } from './src/websocketActions.js';\nimport { actions, createAppStore } from",
  ),
  edit(
    'replay.adapter.ts',
    "    throw new Error('replay.adapter: call what src/main.ts:7 calls for each message');\n  },\n",
    `    store.dispatch(handleEvent(JSON.parse(String(data))));
  },
  onOpen: (store) => void store.dispatch(actions.connected(true)),
  onClose: (store) => void store.dispatch(actions.connected(false)),
`,
  ),
];

/** The server's clock is not that of this machine: who has posted is still shown as typing. */
const FAULT = edit('src/websocketActions.ts', 'queue, now: Date.now()', 'queue, now: queue[0]!.createAt');
/** The kind of the step that it changes first. */
const STEP = 'posts/receivedPosts';

test('a person replays the sessions of an app with at most 20 lines', async () => {
  const project = await createProject('chat');
  await project.install();
  await project.install('--save-dev', tarball);
  expect(await project.must('npx', 'parley-replay', 'init')).toContain('wrote replay.adapter.ts\n');
  expect(await project.must('npx', 'parley-replay', 'init')).toContain('kept  replay.adapter.ts\n');
  expect(await writeLines(project)).toBeLessThanOrEqual(MOST_LINES);
  await project.must('npm', 'run', 'build');
  await record(project);
  await project.must('npx', 'parley-replay', 'verify', 'captures', '--update');
  expect(await project.must('npx', 'parley-replay', 'verify', 'captures')).toContain('1 capture: 1 same');
  expect(await project.must('npx', 'vitest', 'run')).toMatch(/Tests +2 passed/);
  await writeFile(project.at('.gitignore'), 'node_modules\ndist\n');
  await git(project.at(''), 'init', '--quiet');
  await commitAll(project.at(''), 'app');
  await project.edit([FAULT]);
  await expectFound(project);
});

/** Writes what a person writes; returns how many lines are new or differ from those of the app and of `init`, without empty ones. */
async function writeLines(project: Project): Promise<number> {
  const files = [...new Set(LINES.map(({ file }) => file))];
  const read = async (file: string) => {
    const text = await readFile(project.at(file), 'utf8').catch(() => '');
    return text.split('\n').map((line) => `${file}: ${line}`);
  };
  const known = (await Promise.all(files.map(read))).flat();
  await project.edit(LINES);
  return (await Promise.all(files.map(read))).flat().filter((line) => {
    const index = known.indexOf(line);
    if (index !== -1) known.splice(index, 1);
    return index === -1 && !line.endsWith(': ');
  }).length;
}

/** Starts a program in the folder of a project, until the test ends. Returns the first line that it prints. */
async function start(project: Project, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: project.at(''), stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error(`${args.join(' ')} ended`);
}

/** Opens an address in a browser, until the test ends. */
async function openAt(url: string): Promise<Page> {
  const browser = await launchHeadlessShell();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}

/** Uses the app in a browser with its server, and saves what the recorder in it has recorded. */
async function record(project: Project): Promise<void> {
  const page = await openAt(await start(project, 'server.mjs'));
  await page.getByText('lin: good morning').waitFor();
  await page.locator('#text').fill('hello from me');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('ada: hello from me').waitFor();
  await page.getByRole('button', { name: 'Release' }).click();
  await page.getByText('sam: is the release ready?').waitFor();
  await mkdir(project.at('captures'));
  await writeFile(project.at(CAPTURE), await page.evaluate<string>('recorder.save()'));
}

/** Looks for the planted fault with each command. */
async function expectFound(project: Project): Promise<void> {
  const found = new RegExp(String.raw`first differs after update \d+ \(${STEP}, applied`);
  const expectRed = async (...command: readonly string[]): Promise<string> => {
    const { status, out } = await project.run('npx', ...command);
    expect({ status, out }).toMatchObject({ status: 1, out: expect.stringMatching(found) });
    expect(out).toMatch(/^ {4}state\.typing\["/m);
    return out;
  };
  await expectRed('vitest', 'run');
  await expectRed('parley-replay', 'compare', 'captures', '--base', 'HEAD');
  const printed = await expectRed('parley-replay', 'verify', 'captures');

  const minimize = ['minimize', CAPTURE, '-o', 'short.parley.jsonl', '--fails', 'compare', '--base', 'HEAD'];
  const { records } = JSON.parse(await project.must('npx', 'parley-replay', ...minimize, '--json'));
  expect(records.after).toBeLessThan(records.before / 2);

  // The command that `verify` prints.
  const [, open = ''] = /^ {2}inspect +npx (parley-replay .*)$/m.exec(printed) ?? [];
  const inspector = await start(project, ...`node_modules/.bin/${open} --no-open --json`.split(' '));
  const page = await openAt(JSON.parse(inspector).address);
  await page.getByRole('grid', { name: 'Steps' }).getByText(STEP).first().waitFor();
}
