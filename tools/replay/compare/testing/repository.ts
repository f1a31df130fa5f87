import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder, writeCapture } from '../../testing/files.ts';
import { CHECKOUT } from '../../verify/testing/verifyParley.ts';
import { git } from '../addWorktree.ts';

const COPIED = ['src/shared', 'tools/replay/engine', 'package.json', 'tsconfig.json'];
const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@localhost', '-c', 'commit.gpgsign=false'];

/** Commits all files of a repository. Returns the hash. */
export async function commitAll(folder: string, message: string): Promise<string> {
  await git(folder, 'add', '--all');
  await git(folder, ...AUTHOR, 'commit', '--quiet', '--message', message);
  return git(folder, 'rev-parse', 'HEAD');
}

/** Replaces the first `before` in a file. @throws when the file has none. */
export async function replaceIn(path: string, before: string | RegExp, after: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const edited = text.replace(before, after);
  if (edited === text) throw new Error(`${path} has no ${before}`);
  await writeFile(path, edited);
}

/** Creates a temporary repository with the part of this checkout that `compare` uses; it is removed after the test. */
async function temporaryRepository() {
  const at = await temporaryFolder();
  const folder = at('repository');
  for (const path of COPIED) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(CHECKOUT, path), join(folder, path), { recursive: true });
  }
  await git(folder, 'init', '--quiet');
  const edit = (path: string, ...change: readonly [before: string | RegExp, after: string]) =>
    replaceIn(join(folder, path), ...change);
  return {
    at,
    folder,
    commit: () => commitAll(folder, 'as it stands'),
    edit,
    move: (from: string, to: string) => rename(join(folder, from), join(folder, to)),
    remove: (path: string) => rm(join(folder, path), { recursive: true }),
    worktrees: async () => (await git(folder, 'worktree', 'list')).split('\n').length,
  };
}

const recv = (t: number, frame: object) => ({ t, type: 'recv', data: JSON.stringify(frame) });

/** The path of the fold, which tests change. */
export const FOLD = 'src/shared/conversation/applyUpdate.ts';

/** Creates a repository, and two sessions: one with a context of its own, one without. */
export async function compareSessions() {
  const repository = await temporaryRepository();
  const message = { modifier: 'ai', content: [], context: 'Assistant' };
  const messages = Array.from({ length: 40 }, (_, i) => ({ ...message, id: `m-${i}` }));
  const opening = [recv(0, { person: 'Ada', messages }), recv(1, { category: 'text', text: 'hi' })];
  const { at } = repository;
  const captures = [
    await writeCapture(at('labelled.parley.jsonl'), [...opening, recv(2, { context: 'Ada’s' })]),
    await writeCapture(at('plain.parley.jsonl'), opening),
  ];
  return { ...repository, captures };
}
