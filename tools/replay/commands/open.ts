import open from 'open';
import { Command } from '@commander-js/extra-typings';
import { replayedApp } from '../adapter/checkAdapter.ts';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { ONE_CAPTURE, portOption } from '../base/commandOptions.ts';
import { UsageError } from '../base/errors.ts';
import { field, jsonDocument, jsonLine } from '../base/jsonDocument.ts';
import { waitForSignal } from '../base/interruption.ts';
import { createTemporaryFolder } from '../base/temporaryFolder.ts';
import { bundleWorker } from '../compare/bundleWorker.ts';
import { addAdapterTree } from '../compare/compareCaptures.ts';
import { readAppPage, readPageFiles, readPairFiles, withAdapter } from '../inspector/serve/appPage.ts';
import type { OtherSession, RunningInspector } from '../inspector/serve/startInspector.ts';
import { type ServedCapture, openCapture } from '../inspector/serve/openCapture.ts';
import { rereadCapture } from '../read/findCaptures.ts';
import { captureName } from '../read/stdin.ts';
import { startOf, withStartOptions } from './startOptions.ts';

const openSchema = jsonDocument('open', 'where the inspector listens', {
  capture: field.text('the path of the capture, `stdin` for `-`; `null` without one').nullable(),
  address: field.text('the address of the inspector, which opens once'),
});

/** Creates the command `open`, which opens the inspector in a browser (contract §7). */
export const openCommand: CommandMaker = ({ output, own }) =>
  withStartOptions(new Command('open'))
    .description(
      'opens the inspector in a browser, which shows a session step by step; runs until SIGINT or SIGTERM',
    )
    .argument('[capture]', `${ONE_CAPTURE}; without one, drop a capture onto the page`)
    .argument('[other]', 'another capture, which is shown beside the first one')
    .option(
      '--base <rev>',
      'shows the capture as this git revision replays it, and beside it as this checkout does',
    )
    .option('--port <n>', 'port on 127.0.0.1; 0 selects any free port', portOption('--port'), 0)
    .option('--no-open', 'does not open a browser, like PARLEY_OPEN=0')
    .option('--json', 'one JSON document on stdout: the capture and the address')
    .option(...APP)
    .action(async (given, beside, all) => {
      const { port, open: opens, json, base, app, ...options } = all;
      const path = given === undefined ? undefined : await rereadCapture(given);
      const capture = path === undefined ? undefined : await openCapture(path);
      const { files, adapter } = await readAppPage(app);
      const other = capture && (await openOther({ capture, beside, base, app, step: options.step }));
      const replayed = adapter === undefined ? own : replayedApp(adapter);
      // Only what serves loads Fastify: every other command starts in two thirds of the time.
      const { startInspector } = await import('../inspector/serve/startInspector.ts');
      const page = { files, app: replayed, adapter: app, capture, other };
      const inspector = await startInspector({ ...page, start: startOf(options), cwd: process.cwd(), port });
      const name = path === undefined ? undefined : captureName(path);
      const address = inspector.invitation();
      const signaled = waitForSignal();
      output.out(
        json
          ? jsonLine(openSchema, { capture: name ?? null, address })
          : `${name ?? 'The inspector'} is open at ${address}\n`,
      );
      const isOpened = opens && process.env.PARLEY_OPEN !== '0' && hasDisplay();
      const removePage = isOpened ? openBrowser(inspector) : undefined;
      await signaled;
      removePage?.();
      await inspector.stop();
    });

interface Beside {
  readonly capture: ServedCapture;
  /** The other capture, as the user named it. */
  readonly beside: string | undefined;
  readonly base: string | undefined;
  /** The path of the adapter of another app. */
  readonly app: string | undefined;
  readonly step: number | undefined;
}

/** Opens what is shown beside a capture: another one, or the same under this checkout's code. */
async function openOther({ capture, beside, base, app, step }: Beside): Promise<OtherSession | undefined> {
  if (beside === undefined && base === undefined) return undefined;
  if (beside !== undefined && base !== undefined)
    throw new UsageError('name another capture, or a revision with --base; not both');
  if (step !== undefined)
    throw new UsageError(
      '--step is for one session; use --update or --at, which name the same update or time in both',
    );
  const files = await readPairFiles();
  if (base !== undefined) {
    const firstWorker = app === undefined ? await bundleWorker(base) : await bundleAppWorker(app, base);
    return { files, capture, labels: [base, 'this checkout'], by: 'record', firstWorker };
  }
  const other = await openCapture(await rereadCapture(beside ?? ''));
  return { files, capture: other, labels: [capture.name, other.name], by: 'content' };
}

/** Returns the inspector's worker with the adapter of another revision. */
async function bundleAppWorker(app: string, base: string): Promise<string> {
  const { worker } = await readPageFiles();
  const { remove, ...source } = await addAdapterTree(app, base);
  return withAdapter(worker, source).finally(remove);
}

const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);

/** Opens a browser with a page in a private folder; returns a function that removes both. The address is also on stdout. */
function openBrowser(inspector: RunningInspector): () => void {
  const { folder, remove } = createTemporaryFolder('parley-open-');
  void open(inspector.redirectPage(folder)).catch(() => {});
  return remove;
}
