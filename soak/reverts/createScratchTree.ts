import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAMS, ROOT } from '../harness/root.ts';
import { type Edit, withoutFix } from './revert.ts';

/** The programs that scenarios start. Others are not built again. */
const ENVIRONMENTS = 'client webPreload start platform hostauth replay inspector inspectorWorker'.split(' ');

const BUILD = `
  import { createBuilder } from 'vite';
  const builder = await createBuilder({ configFile: './vite.config.ts', logLevel: 'error' });
  for (const name of ${JSON.stringify(ENVIRONMENTS)}) await builder.build(builder.environments[name]);`;

/** A copy of the repository from which fixes are taken out. */
export interface ScratchTree {
  /** The folder of its built programs. */
  readonly programs: string;
  /** Applies edits to the original sources and builds the programs. Returns what went wrong, or `undefined`. */
  build(edits: readonly Edit[]): string | undefined;
  remove(): void;
}

/** Copies the sources and the built programs to a temporary folder; `node_modules` is a link. */
export function createScratchTree(): ScratchTree {
  const folder = mkdtempSync(join(tmpdir(), 'parley-reverts-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  for (const file of listed.toString().split('\0'))
    if (file !== '' && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file));
  cpSync(PROGRAMS, join(folder, 'out'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

  const changed = new Map<string, string>();
  const apply = (edit: Edit) => {
    const path = join(folder, edit.file);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const after = withoutFix(before, edit);
    if (after === undefined) return `the snippet does not occur exactly once in ${edit.file}`;
    if (!changed.has(path)) changed.set(path, before);
    writeFileSync(path, after);
    return undefined;
  };
  return {
    programs: join(folder, 'out'),
    build(edits) {
      for (const [path, text] of changed) writeFileSync(path, text);
      changed.clear();
      const problem = edits.map(apply).find((reason) => reason !== undefined);
      if (problem !== undefined) return problem;
      const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', BUILD], {
        cwd: folder,
      });
      return status === 0 ? undefined : `it does not build: ${stderr.toString().slice(0, 300)}`;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
