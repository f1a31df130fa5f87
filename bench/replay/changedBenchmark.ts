import { execFile } from 'node:child_process';
import { cp, link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { type Benchmark, type Progress, withTemporaryFolder } from '../base/benchmark.ts';
import { writeCaptureFile } from '../base/captures.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CLI = join(ROOT, 'out/replay/cli.js');
const CAPTURES = 20_000;
/** Of this number of captures, one reaches the function that changes. */
const ONE_OF = 100;
/** The number of captures with different content; the others are links to them. */
const DIFFERENT = 100;
/** About those of the recorded sessions of the example. */
const FRAMES = 20;
const FRAME_MS = 900;
const CARDS = 20;

/** Returns the frames of a session of the task board. @param removes whether a card is removed in it. */
function boardFrames(seed: number, removes: boolean): string[] {
  const random = seededRandom(seed);
  const pick = (count: number) => Math.floor(random() * count);
  const cards = Array.from({ length: CARDS }, (_, i) => ({ id: `card-${i}`, title: `Task ${i} of ${seed}` }));
  const columns = ['todo', 'doing', 'done'].map((id, i) => ({ id, title: id, cards: i === 0 ? cards : [] }));
  const frames: object[] = [
    { type: 'board', columns },
    { type: 'people', names: ['Ada', 'Ben'] },
  ];
  while (frames.length < FRAMES) {
    const id = `card-${pick(CARDS)}`;
    if (pick(2) === 0) frames.push({ type: 'cardMoved', id, column: ['todo', 'doing', 'done'][pick(3)] });
    else frames.push({ type: 'cardRenamed', id, title: `Task ${pick(1000)}: call back and write it down` });
  }
  if (removes) frames[FRAMES / 2] = { type: 'cardRemoved', id: 'card-1' };
  return frames.map((frame) => JSON.stringify(frame));
}

const run = promisify(execFile);

/** Creates a repository with the example app and its captures. Returns functions that time a command of the tool, and that change the app. */
async function createRepository(folder: string, progress: Progress) {
  const inside = (...path: string[]) => join(folder, ...path);
  await cp(join(ROOT, 'examples/task-board'), folder, {
    recursive: true,
    filter: (path) => !path.includes('captures'),
  });
  await symlink(join(ROOT, 'node_modules'), inside('node_modules'));
  await mkdir(inside('sessions'));
  await mkdir(inside('corpus'));
  const timed = async (...args: readonly string[]) => {
    const start = performance.now();
    const { stdout } = await run(process.execPath, [CLI, ...args], { cwd: folder, maxBuffer: 2 ** 30 });
    return { seconds: (performance.now() - start) / 1000, stdout };
  };
  const app = ['--app', 'adapter.ts'];
  progress(`writing ${CAPTURES} captures and their goldens`);
  for (let n = 0; n < DIFFERENT; n++)
    await writeCaptureFile(
      inside('sessions', `${n}.parley.jsonl`),
      boardFrames(n, n % ONE_OF === 0),
      FRAME_MS,
    );
  await timed('verify', 'sessions', ...app, '--update');
  for (let n = 0; n < CAPTURES; n++)
    for (const end of ['parley.jsonl', 'golden.json'])
      await link(inside('sessions', `${n % DIFFERENT}.${end}`), inside('corpus', `${n}.${end}`));
  await writeFile(inside('.gitignore'), 'node_modules\nsessions\ncorpus\n');
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@localhost', '-c', 'commit.gpgsign=false'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'The board'],
  ])
    await run('git', [...author, ...args], { cwd: folder });
  const board = inside('app', 'board.ts');
  const source = await readFile(board, 'utf8');
  return {
    verify: (...options: readonly string[]) => timed('verify', 'corpus', ...app, ...options),
    index: () => timed('index', 'corpus', ...app),
    /** Changes the reducer that removes cards, without another result. */
    change: (number: number) =>
      writeFile(
        board,
        source.replace('if (index !== -1) cards', `if (index > -1 && index < ${1000 + number}) cards`),
      ),
  };
}

/** Verifies all captures, and those that a change of one function can affect. */
export const changedBenchmark: Benchmark = {
  title: `verify --changed: ${CAPTURES} captures of ${FRAMES} frames, after a change in a function that 1 % of them reach`,
  run: (progress) =>
    withTemporaryFolder(async (folder) => {
      const { verify, index, change } = await createRepository(folder, progress);
      progress('indexing');
      const indexed = await index();
      const again = await index();
      progress('verifying all captures');
      const full = await verify();
      const rows = [
        { what: 'index', seconds: indexed.seconds, verified: DIFFERENT },
        { what: 'index, nothing is new', seconds: again.seconds, verified: 0 },
        { what: 'verify', seconds: full.seconds, verified: CAPTURES },
      ];
      for (const [number, what] of ['the first time', 'again', 'again'].entries()) {
        progress(`verifying what a change affects, ${what}`);
        await change(number);
        const { seconds, stdout } = await verify('--changed', 'HEAD', '--json');
        const captures = CAPTURES / ONE_OF;
        if (!stdout.includes(`"captures":${captures},`))
          throw new Error('another number of captures was selected');
        rows.push({ what: `verify --changed, ${what}`, seconds, verified: captures });
      }
      const share = (row: number) => (rows[row]?.seconds ?? Number.NaN) / full.seconds;
      const limit = { bound: 'at most', limit: 0.05 } as const;
      return {
        rows,
        targets: [
          { name: 'the first time, of the full run', measured: share(3), ...limit },
          { name: 'again, of the full run', measured: Math.min(share(4), share(5)), ...limit },
        ],
      };
    }),
};
