import { basename } from 'node:path';
import { Observations } from '../checks/observations.ts';
import { checkWindows, pageOf } from '../checks/windowCheck.ts';
import type { SimWindow } from '../machine/browserWindows.ts';
import { type Disk, textOf } from '../machine/disk.ts';
import { DATA, Machine } from '../machine/machine.ts';
import { answerAsEndpoint } from '../network/endpoint.ts';
import { act } from '../people/people.ts';
import type { LoadProgram } from '../programs/loadProgram.ts';
import { planFaults } from '../faults/planFaults.ts';
import { type Failure, HISTORY_MS, Party, World } from '../world/world.ts';

/** The time in which people act and faults happen; then everything comes to rest. */
const ACTIVE_MS = 48_000;
/** The checks at random moments. */
const CHECKS = 6;

/** What one history showed. */
export interface HistoryResult {
  readonly seed: number;
  readonly hash: string;
  readonly failures: readonly Failure[];
  readonly faults: Readonly<Record<string, number>>;
  readonly coverage: Readonly<Record<string, number>>;
  /** The newest notes of what happened, and the newest capture: only when a check has failed. */
  readonly notes: readonly string[];
  readonly capture: string | undefined;
}

/** Lets people act in the windows at random times. */
function plan(world: World, machine: Machine): void {
  const random = world.randomOf('people');
  const people = new Party(world, 'people');
  const pace = random.between(500, 4000);
  const next = () =>
    people.schedule(-Math.log(1 - random.next()) * pace, () => {
      if (world.now() < ACTIVE_MS) next();
      const { main } = machine;
      const windows = main?.party.isAlive === true ? [...main.desktop.windows] : [];
      if (main === undefined || windows.length === 0) return;
      const window = random.pick(windows);
      const page = pageOf(window);
      const isStalled = (window.webContents.page?.party.busyUntil ?? 0) > world.now();
      if (page !== undefined && !isStalled)
        window.webContents.page?.party.attempt(() =>
          act({ page, window, desktop: main.desktop, random, now: world.now() }),
        );
    });
  next();
}

/** Runs one history of 60 virtual seconds: a machine with the platform, main and its windows, people, and faults. */
export async function runHistory(seed: number, load: LoadProgram): Promise<HistoryResult> {
  const world = new World(seed);
  const seen = new Observations(world);
  const machine = new Machine({ world, load, observer: seen, endpoint: answerAsEndpoint });
  seen.machine = machine;
  const onError = (error: unknown) => world.uncaught(error);
  process.on('unhandledRejection', onError);
  try {
    machine.startPlatform();
    machine.startMain();
    plan(world, machine);
    planFaults({ world, machine, seen, end: ACTIVE_MS });
    planChecks(world, machine, seen);
    await world.run(HISTORY_MS);
    if (world.failures.length === 0) checkAll({ world, machine, seen, isCalm: true });
    return resultOf(world, machine);
  } finally {
    machine.main?.party.kill();
    machine.platform?.party.kill();
    process.off('unhandledRejection', onError);
  }
}

function planChecks(world: World, machine: Machine, seen: Observations): void {
  const random = world.randomOf('checks');
  const observer = new Party(world, 'observer');
  for (let count = 0; count < CHECKS; count++)
    observer.schedule(random.between(1000, HISTORY_MS), () =>
      checkAll({ world, machine, seen, isCalm: false }),
    );
}

interface Checked {
  readonly world: World;
  readonly machine: Machine;
  readonly seen: Observations;
  readonly isCalm: boolean;
}

function checkAll({ world, machine, seen, isCalm }: Checked): void {
  const main = seen.mainState();
  const windows = machine.main?.party.isAlive === true ? machine.main.desktop.windows : [];
  seen.checkFold();
  seen.checkRest(isCalm);
  seen.checkLimits();
  if (main !== undefined) checkWindows(world, windows, { main, isCalm });
  if (main !== undefined && !isCalm) seen.capture.sample(main);
  if (!isCalm) return;
  seen.capture.check(machine.disk, `${DATA}/captures`);
  checkSecrets(world, seen.secrets, { disk: machine.disk, logs: seen.logs, windows });
}

/** The files that are there to contain a secret: of the account, of the assistant, and of the platform. */
const KEEPERS =
  /^(?:account|assistant|instance|platform-owner)\.json|^platform\.sqlite|^\.parley-[0-9a-f]{24}\.tmp$|^[0-9a-f]{32}\.json$/u;

interface Places {
  readonly disk: Disk;
  readonly logs: readonly string[];
  readonly windows: Iterable<SimWindow>;
}

/** Check 6: no password, token, key or account identifier is in captures, logs, the windows' states or error texts. */
function checkSecrets(world: World, secrets: Iterable<string>, { disk, logs, windows }: Places): void {
  const texts: [where: string, text: string][] = [['a line of a log', logs.join('\n')]];
  for (const [path, node] of disk.files('/home/ada'))
    if (!KEEPERS.test(basename(path))) texts.push([path, textOf(node)]);
  for (const window of windows) {
    const state = pageOf(window)?.store.getState();
    if (state !== undefined) texts.push(['the state of a window', JSON.stringify(state)]);
    texts.push(['the storage of a page', [...window.webContents.storage.values()].join('\n')]);
  }
  for (const secret of secrets)
    for (const [where, text] of texts)
      if (text.includes(secret)) world.fail(6, `${where} contains the secret ${secret.slice(0, 6)}…`);
}

function resultOf(world: World, { disk }: Machine): HistoryResult {
  const { seed, failures, faults, coverage, notes } = world;
  const hasFailed = failures.length > 0;
  const captures = [...disk.files(`${DATA}/captures`)].filter(([path]) => path.includes('-recorded'));
  const newest = captures.map(([, file]) => file).toSorted((one, other) => other.ino - one.ino)[0];
  return {
    seed,
    hash: world.hash(),
    failures,
    faults: Object.fromEntries(faults),
    coverage: Object.fromEntries(coverage),
    notes: hasFailed ? notes : [],
    capture: hasFailed && newest !== undefined ? textOf(newest) : undefined,
  };
}
