import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { type App, APPS } from './apps.ts';
import { describePackage } from './describePackage.ts';
import { type Project, createProject, packPackage } from './project.ts';
import { start, withPage } from './useApp.ts';

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
  const sources = await Promise.all(
    maps.map(
      async (name): Promise<string[]> => JSON.parse(await readFile(`${dist}/${name}`, 'utf8')).sources,
    ),
  );
  expect(sources.flat().join('\n')).toMatch(/\/replayTool\.ts$/m);
  expect(sources.flat().filter((source) => /node_modules\/(?:electron|react)/.test(source))).toEqual([]);
  process.stdout.write(`@parley/replay: ${names.length} packages installed\n`);
});

test.each(APPS)('a person replays the sessions of $name with at most 20 lines', async (app) => {
  const project = await createProject(app.name);
  await project.install();
  const startedAt = performance.now();

  await project.install('--save-dev', tarball);
  expect(await project.must('npx', 'parley-replay', 'init')).toContain('wrote replay.adapter.ts\n');
  expect(await project.must('npx', 'parley-replay', 'init')).toContain('kept  replay.adapter.ts\n');
  const lines = await writeLines(project, app);
  await project.must('npm', 'run', 'build');
  await record(project, app);
  await project.must('npx', 'parley-replay', 'verify', 'captures', '--update');
  expect(await project.must('npx', 'parley-replay', 'verify', 'captures')).toContain('1 capture: 1 same');
  expect(await project.must('npx', 'vitest', 'run')).toMatch(/Tests +2 passed/);
  const minutes = (performance.now() - startedAt) / 60_000;

  await commit(project);
  await project.edit([app.fault]);
  await expectFound(project, app);
  process.stdout.write(
    `${app.name}: a person wrote ${lines} lines; ${minutes.toFixed(1)} minutes from the installation to green tests\n`,
  );
  expect(lines).toBeLessThanOrEqual(MOST_LINES);
});

/** Writes what a person writes; returns how many lines are new or differ from those of the app and of `init`. */
async function writeLines(project: Project, { lines }: App): Promise<number> {
  const files = [...new Set(lines.map(({ file }) => file))];
  const texts = () => Promise.all(files.map((file) => readFile(project.at(file), 'utf8').catch(() => '')));
  const before = await texts();
  await project.edit(lines);
  const after = await texts();
  return after.reduce((sum, text, index) => sum + countNewLines(before[index] ?? '', text), 0);
}

/** Counts the lines of a text that another one does not have, without empty ones. */
function countNewLines(before: string, after: string): number {
  const known = before.split('\n');
  return after.split('\n').filter((line) => {
    const index = known.indexOf(line);
    if (index !== -1) known.splice(index, 1);
    return index === -1 && line.trim() !== '';
  }).length;
}

/** Uses the app in a browser with its server, and saves what the recorder in it has recorded. */
async function record(project: Project, app: App): Promise<void> {
  const server = await start(project.at(''), [process.execPath, 'server.mjs']);
  try {
    const capture = await withPage(server.line, async (page) => {
      await app.use(page);
      return page.evaluate<string>('recorder.save()');
    });
    await mkdir(project.at('captures'));
    await writeFile(project.at(CAPTURE), capture);
  } finally {
    await server.stop();
  }
}

async function commit(project: Project): Promise<void> {
  await writeFile(project.at('.gitignore'), 'node_modules\ndist\n');
  await project.must('git', 'init', '--quiet');
  await project.must('git', 'add', '.');
  const person = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
  await project.must('git', ...person, 'commit', '--quiet', '-m', 'app');
}

/** Looks for the planted fault with each command. */
async function expectFound(project: Project, { fault }: App): Promise<void> {
  const found = new RegExp(String.raw`first differs after update \d+ \(${fault.step}, applied`);
  const expectRed = async (...command: readonly string[]): Promise<string> => {
    const { status, out } = await project.run('npx', ...command);
    expect({ status, out }).toMatchObject({ status: 1, out: expect.stringMatching(found) });
    expect(out).toContain(`    ${fault.path}`);
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
  const argv = `node_modules/.bin/${open} --no-open --json`.split(' ');
  const inspector = await start(project.at(''), [process.execPath, ...argv]);
  try {
    await withPage(JSON.parse(inspector.line).address, (page) =>
      page.getByRole('grid', { name: 'Steps' }).getByText(fault.step).first().waitFor(),
    );
  } finally {
    await inspector.stop();
  }
}
