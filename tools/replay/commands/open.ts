import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import open from 'open';
import { oneCapture } from '../read/oneCapture.ts';
import { captureName } from '../read/stdin.ts';
import { EXIT } from '../base/errors.ts';
import { openCapture } from '../inspector/serve/openCapture.ts';
import { builtPage, readPageFiles } from '../inspector/serve/pageFiles.ts';
import { type RunningInspector, startInspector } from '../inspector/serve/startInspector.ts';
import { waitForSignal } from '../base/waitForSignal.ts';
import type { CommandMaker } from '../base/command.ts';
import { portOption, wholeNumber } from './options.ts';

interface OpenOptions {
  readonly port: number;
  readonly step?: number;
  readonly open: boolean;
}

/** `open`: the inspector, in a browser (contract §7). */
export const openCommand: CommandMaker = (output, finish) =>
  new Command('open')
    .description('the inspector: sees a session again, step by step, in a browser; until SIGINT or SIGTERM')
    .argument(
      '[capture]',
      'a capture, or a HAR with one WebSocket; - is stdin; without one, drop it onto the page',
    )
    .option('--port <n>', 'port on 127.0.0.1; 0 takes any', portOption('--port'), 0)
    .option('--step <n>', 'where it opens (default: before the first step)', wholeNumber('--step'))
    .option('--no-open', 'opens no browser, as PARLEY_OPEN=0 does')
    .action(async (given: string | undefined, { port, step, open: opens }: OpenOptions) => {
      const told = waitForSignal();
      const path = given === undefined ? undefined : await oneCapture(given);
      const capture = path === undefined ? undefined : await openCapture(path);
      const files = await readPageFiles(builtPage());
      const content = { files, capture, step, cwd: process.cwd() };
      const inspector = await startInspector({ ...content, port, random: randomBytes });
      output.out(
        `${path === undefined ? 'The inspector' : captureName(path)} is open at ${inspector.invitation()}\n`,
      );
      const isShown = opens && process.env.PARLEY_OPEN !== '0' && hasScreen();
      const removePage = isShown ? await openBrowser(inspector) : undefined;
      await told;
      await removePage?.();
      await inspector.stop();
      finish(EXIT.fine);
    });

const hasScreen = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);

/** Opens a browser with a page in a private folder; returns what removes both. The address stands on stdout all the same. */
async function openBrowser(inspector: RunningInspector): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-open-'));
  void open(inspector.redirectPage(folder)).catch(() => {});
  return () => rm(folder, { recursive: true, force: true });
}
