import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder } from '../../harness/createDataFolder.ts';
import { followChild } from '../../harness/followChild.ts';
import { messengerEnvironment } from '../../harness/startMessenger.ts';
import { ROOT } from '../../harness/root.ts';
import { type Soak, scenario } from '../../run/scenario.ts';

const OTHER_USER_ID = 65_534;
const ANSWER_MS = 30_000;
const AS_UNKNOWN = ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'];
const NO_LOOPBACK = [`--import=${join(ROOT, 'soak', 'hooks', 'noLoopback.mjs')}`];
/** With these addresses the built-in platform, which would listen first, is not started. */
const ELSEWHERE = {
  PARLEY_API_URL: 'http://127.0.0.1:9',
  PARLEY_PLATFORM_URL: 'ws://127.0.0.1:9',
};
const NO_HOME = {
  PARLEY_DATA_DIR: undefined,
  HOME: undefined,
  XDG_CONFIG_HOME: undefined,
  XDG_DATA_HOME: undefined,
};

interface Start {
  readonly name: string;
  /** A command and its arguments before Node. */
  readonly wrapper?: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly needsRoot?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts on machines and in folders that the messenger cannot use. */
export const starts = scenario({
  name: 'starts',
  sentence:
    'The messenger is started where it cannot run; it says why in one line and exits with status 1 or 2.',
  short: {},
  long: {},
  async run(soak) {
    const isRoot = process.getuid?.() === 0;
    const possible = startsOf(soak).filter(({ needsRoot = false }) => isRoot || !needsRoot);
    const runs = await Promise.all(possible.map((start) => runStart(soak, start)));
    for (const { start, code, stderr } of runs) {
      const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
      soak.check(
        `${start.name}: one line says why, without a stack`,
        lines.length === 1 && !/^\s+at /m.test(stderr),
        `${lines.length} lines: ${stderr.slice(0, 300)}`,
      );
      soak.check(`${start.name}: the exit status is 1 or 2`, code === 1 || code === 2, String(code));
    }
  },
});

function startsOf(soak: Soak): readonly Start[] {
  const folder = createDataFolder(soak);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const foreign = join(folder, 'foreign');
  mkdirSync(foreign, { mode: 0o700 });
  const open = join(folder, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  const [home, other] = [join(folder, 'home'), join(folder, 'other')];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(other, { mode: 0o700 });
  if (process.getuid?.() === 0) chownSync(foreign, OTHER_USER_ID, OTHER_USER_ID);
  return [
    { name: 'a data folder that is a file', env: { PARLEY_DATA_DIR: file } },
    { name: 'a data folder that cannot be made', env: { PARLEY_DATA_DIR: '/sys/parley' } },
    { name: 'a data folder of another user', needsRoot: true, env: { PARLEY_DATA_DIR: foreign } },
    { name: 'a data folder that is open to others', env: { PARLEY_DATA_DIR: open } },
    {
      name: 'a network without 127.0.0.1',
      nodeOptions: NO_LOOPBACK,
      env: { PARLEY_DATA_DIR: home },
    },
    {
      name: 'a platform elsewhere, and a network without 127.0.0.1',
      nodeOptions: NO_LOOPBACK,
      env: { PARLEY_DATA_DIR: other, ...ELSEWHERE },
    },
    { name: 'no HOME and no entry in passwd', needsRoot: true, wrapper: AS_UNKNOWN, env: NO_HOME },
  ];
}

async function runStart(soak: Soak, start: Start) {
  const { wrapper = [], nodeOptions = [], env } = start;
  const program = join(soak.programs, 'start', 'start.js');
  const [command, ...args] = [...wrapper, process.execPath, ...nodeOptions, program];
  const child = spawn(command, args, {
    env: messengerEnvironment(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = followChild(child);
  soak.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const printed = text(child.stderr);
  await Promise.race([ended, pause(ANSWER_MS)]);
  child.kill('SIGKILL');
  return { start, code: (await ended).code, stderr: await printed };
}
