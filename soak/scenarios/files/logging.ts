import { closeSync, mkdirSync, openSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataFolder } from '../../harness/createDataFolder.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { numberedMessage } from '../../harness/frames.ts';
import { scenario } from '../../run/scenario.ts';

const FULL_LOG_MB = 11;
const MAX_MB = 40;
const MAX_FILES = 4;

/** A stderr that cannot be written, a log over its maximum size, and a repeated line. */
export const logging = scenario({
  name: 'logging',
  sentence:
    'Stderr cannot be written and one line is logged many times; the messenger continues, and the log stays small.',
  short: { frames: 20_000 },
  long: { frames: 2_000_000 },
  async run(soak, { frames }) {
    const dataDir = createDataFolder(soak);
    mkdirSync(join(dataDir, 'logs'), { mode: 0o700 });
    const line = `${JSON.stringify({ level: 30, msg: 'an earlier run' })}\n`;
    writeFileSync(join(dataDir, 'logs', 'parley.log'), line.repeat((FULL_LOG_MB * 1e6) / line.length), {
      mode: 0o600,
    });
    const full = openSync('/dev/full', 'w');
    soak.defer(() => closeSync(full));
    const { messenger, socket } = await startSignedIn(soak, { dataDir, stderr: full });
    const { page } = await openPage(soak, messenger.url);
    await soak.waitFor('a log over 10 MB is rotated', 10, () => (logSizes(dataDir)['parley.log'] ?? 0) < 10);
    const before = totalLogSize(dataDir);
    for (let sent = 0; sent < frames; sent += 1000) {
      for (let each = 0; each < 1000; each++) socket.sendText('{"modifier":1}');
      await soak.waitFor('rejected frames are read', 30, () => socket.ping().then(() => true));
    }
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('the conversation is shown', 10, showsNewest(page, 1));
    const grown = totalLogSize(dataDir) - before;
    soak.addFigure('rejected frames', frames, '');
    soak.addFigure('log of them', grown, 'MB');
    soak.check(
      'repeated lines are limited: the log grows by less than 0.5 MB',
      grown < 0.5,
      `${grown.toFixed(2)} MB`,
    );
    soak.check(`all log files are smaller than ${MAX_MB} MB`, totalLogSize(dataDir) < MAX_MB);
    soak.check('there are few log files', Object.keys(logSizes(dataDir)).length <= MAX_FILES);
    soak.check('the messenger exits with status 0 at SIGTERM', (await messenger.stop()) === 0);
  },
});

/** Returns the sizes of the log files by name, in MB. */
function logSizes(dataDir: string): Readonly<Record<string, number>> {
  const folder = join(dataDir, 'logs');
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size / 1e6]),
  );
}

const totalLogSize = (dataDir: string) =>
  Object.values(logSizes(dataDir)).reduce((sum, size) => sum + size, 0);
