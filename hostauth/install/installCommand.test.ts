import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installCommand } from './installCommand.ts';

const programs = { node: '/opt/no de/100%/node', service: '/srv/$parley/hostauth.js' };
const PAM_FILE = 'etc/pam.d/hostauth';
const UNIT = 'etc/systemd/system/hostauth.service';
const TALLIES = 'var/lib/hostauth/faillock';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-install-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const at = (path: string) => join(root, path);
const shipped = () => readFile(new URL('../pam.d/hostauth', import.meta.url), 'utf8');

async function run(args: readonly string[] = [], { system = '/', node = programs.node } = {}) {
  const said: string[] = [];
  const failed: [string, number][] = [];
  await installCommand({
    isRoot: false,
    system,
    programs: { ...programs, node },
    say: (line) => said.push(line),
    fail: (line, exitCode) => failed.push([line, exitCode]),
  }).parseAsync(['--root', root, ...args], { from: 'user' });
  return { said, failed };
}

describe('hostauth install', () => {
  test('an empty system, gets the shipped PAM file, the unit and a folder that only root enters', async () => {
    expect(await run()).toEqual({
      said: [`installed ${at(PAM_FILE)}`, `installed ${at(UNIT)}`, `installed ${at(TALLIES)}`],
      failed: [],
    });
    expect(await readFile(at(PAM_FILE), 'utf8')).toContain(await shipped());
    expect((await stat(at(PAM_FILE))).mode & 0o777).toBe(0o644);
    expect((await stat(at(TALLIES))).mode & 0o777).toBe(0o700);
    expect(await readdir(at('etc/pam.d'))).toEqual(['hostauth']);
  });

  test('writes through no link that waits under the name of a temporary file', async () => {
    await writeFile(at('other'), 'other');
    await mkdir(at('etc/pam.d'), { recursive: true });
    await symlink(at('other'), `${at(PAM_FILE)}.~unfinished`);
    await run();
    expect(await readFile(at('other'), 'utf8')).toBe('other');
    expect(await readFile(at(PAM_FILE), 'utf8')).toContain(await shipped());
    expect((await readdir(at('etc/pam.d'))).sort()).toEqual(['hostauth', 'hostauth.~unfinished']);
  });

  test('the folder of failures, is the one that the PAM file names in each line that counts', async () => {
    await run();
    const lines = (await shipped()).match(/^\w.*pam_faillock.*$/gm);
    expect(lines).toHaveLength(4);
    expect(lines?.every((line) => line.includes(` dir=/${TALLIES}`))).toBe(true);
  });

  test('paths with spaces and signs that systemd reads, reach it as they are', async () => {
    await run();
    const unit = await readFile(at(UNIT), 'utf8');
    expect(unit).toContain('\nExecStart="/opt/no de/100%%/node" "/srv/$$parley/hostauth.js"\n');
  });

  test('run again, changes nothing and says so', async () => {
    await run();
    const before = await stat(at(PAM_FILE));
    const { said, failed } = await run();
    expect(said).toEqual([`unchanged ${at(PAM_FILE)}`, `unchanged ${at(UNIT)}`, `unchanged ${at(TALLIES)}`]);
    expect(failed).toEqual([]);
    expect((await stat(at(PAM_FILE))).mtimeMs).toBe(before.mtimeMs);
  });

  test('an older one of ours that nobody has changed, is updated', async () => {
    await run();
    const { said } = await run([], { node: '/opt/newer/node' });
    expect(said).toContain(`updated ${at(UNIT)}`);
    expect(await readFile(at(UNIT), 'utf8')).toContain('ExecStart="/opt/newer/node"');
  });

  test('a file changed by hand, is kept and told, the rest is done', async () => {
    await run();
    const changed = `${await readFile(at(PAM_FILE), 'utf8')}# mine\n`;
    await writeFile(at(PAM_FILE), changed);
    const { said, failed } = await run([], { node: '/opt/newer/node' });
    expect(said[0]).toMatch(/^kept .*changed by hand; --force/);
    expect(said[1]).toBe(`updated ${at(UNIT)}`);
    expect(failed).toEqual([[expect.any(String), 1]]);
    expect(await readFile(at(PAM_FILE), 'utf8')).toBe(changed);
  });

  test('the same with --force, is replaced and kept beside', async () => {
    await run();
    await writeFile(at(PAM_FILE), 'mine');
    const { said, failed } = await run(['--force']);
    expect(said[0]).toMatch(/^replaced .*hostauth\.bak$/);
    expect(failed).toEqual([]);
    expect(await readFile(at(`${PAM_FILE}.bak`), 'utf8')).toBe('mine');
    expect(await readFile(at(PAM_FILE), 'utf8')).toContain(await shipped());
  });

  test('--remove, leaves nothing of ours, and again says that nothing was there', async () => {
    await run();
    const { said } = await run(['--remove']);
    expect(said[0]).toBe(`removed ${at(PAM_FILE)}`);
    expect(await readdir(at('etc/pam.d'))).toEqual([]);
    expect(await readdir(at('etc/systemd/system'))).toEqual([]);
    expect(await readdir(at('var/lib'))).toEqual([]);
    const again = await run(['--remove']);
    expect(again.said[0]).toBe(`absent ${at(PAM_FILE)}`);
    expect(again.failed).toEqual([]);
  });

  test('--remove of a file changed by hand, keeps it', async () => {
    await run();
    await writeFile(at(PAM_FILE), 'mine');
    const { failed } = await run(['--remove']);
    expect(failed).toEqual([[expect.any(String), 1]]);
    expect(await readFile(at(PAM_FILE), 'utf8')).toBe('mine');
  });

  test('the system itself without being root, is one line and exit code 2, and nothing is done', async () => {
    const { said, failed } = await run([], { system: root });
    expect(said).toEqual([]);
    expect(failed).toEqual([[expect.stringContaining('sudo npm run hostauth -- install'), 2]]);
    expect(await readdir(root)).toEqual([]);
  });
});
