import type { Observations } from '../checks/observations.ts';
import { DATA, type Machine } from '../machine/machine.ts';
import { type Random, Party, type World } from '../world/world.ts';

interface Setting {
  readonly world: World;
  readonly machine: Machine;
  readonly seen: Observations;
  readonly random: Random;
  /** Runs a task later, whatever programs run. */
  readonly later: (ms: number, task: () => void) => void;
  /** When every fault has ended. */
  readonly end: number;
}

type Fault = (setting: Setting) => void;

const anyConnection = ({ machine, random }: Setting) => {
  const connections = [...machine.network.connections];
  return connections.length === 0 ? undefined : random.pick(connections);
};

/** Starts a program again after a while, unless somebody else has. */
function restart(setting: Setting, program: 'main' | 'platform'): void {
  const { machine, random, later } = setting;
  later(random.between(50, 4000), () => {
    if (program === 'main' && machine.main?.party.isAlive !== true) machine.startMain();
    if (program === 'platform' && machine.platform?.party.isAlive !== true) machine.startPlatform();
  });
}

function kill(setting: Setting, program: 'main' | 'platform'): void {
  const { machine, world } = setting;
  world.fault(`${program} killed`);
  machine[program]?.party.kill();
  restart(setting, program);
}

/** Stops the programs of the machine for a time. */
function stop({ machine, seen, world }: Setting, ms: number): void {
  for (const run of [machine.main, machine.platform]) run?.party.stall(ms);
  for (const { webContents } of machine.main?.desktop.windows ?? []) webContents.page?.party.stall(ms);
  seen.times.stalled(world.now() + ms + 1100);
}

/** The faults that can happen, by name. Each may happen at any event. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'connection lost': (setting) => {
    const connection = anyConnection(setting);
    if (connection === undefined) return;
    setting.world.fault('connection lost');
    connection.server?.finish(1006, '');
    connection.client.receiveLater({ kind: 'reset' });
  },
  'connection dead': (setting) => {
    const connection = anyConnection(setting);
    if (connection === undefined) return;
    setting.world.fault('connection dead');
    connection.line.isDead = true;
  },
  'connection closed': (setting) => {
    const server = anyConnection(setting)?.server;
    if (server === undefined) return;
    const reason = setting.random.pick(['', '', 'maintenance', 'unauthorized']);
    setting.world.fault('connection closed', reason);
    server.close(reason === 'unauthorized' ? 4401 : 1012, reason);
  },
  'slow line': (setting) => {
    const connection = anyConnection(setting);
    if (connection === undefined) return;
    setting.world.fault('slow line');
    connection.line.delay = setting.random.between(50, 3000);
    setting.later(setting.random.between(500, 8000), () => void (connection.line.delay = 20));
  },
  'upgrades refused': ({ world, machine, random }) => {
    world.fault('upgrades refused');
    machine.network.refusesUntil = world.now() + random.between(200, 4000);
  },
  'requests lost': ({ world, machine, random, later }) => {
    world.fault('requests lost');
    machine.network.lossOfRequests = 0.5;
    later(random.between(500, 8000), () => void (machine.network.lossOfRequests = 0));
  },
  'requests unanswered': ({ world, machine, random, later }) => {
    world.fault('requests unanswered');
    machine.network.silence = 0.7;
    machine.network.silentUntil = world.now() + random.between(500, 8000);
    later(random.between(500, 8000), () => void (machine.network.silence = 0));
  },
  'unknown frame': (setting) => {
    const connection = anyConnection(setting);
    if (connection?.server === undefined) return;
    const text = setting.random.pick(['not JSON', '{"unknown":1}', '{"text":"without a message"}', '[]']);
    setting.world.fault('unknown frame', text);
    connection.client.receiveLater({ kind: 'text', data: Buffer.from(text) });
  },
  'main killed': (setting) => kill(setting, 'main'),
  'platform killed': (setting) => kill(setting, 'platform'),
  'platform stopped': (setting) => {
    const { world, machine } = setting;
    const { platform } = machine;
    if (platform?.running === undefined) return;
    world.fault('platform stopped');
    const { running, party } = platform;
    const end = () => {
      party.kill();
      restart(setting, 'platform');
    };
    party.attempt(() => void running.close().then(end));
  },
  'program quit': (setting) => {
    const { world, machine, random } = setting;
    world.fault('program quit');
    const { party, desktop } = machine.main ?? {};
    const entry = random.chance(0.5) ? desktop?.tray().find(({ label }) => label === 'Quit') : undefined;
    party?.attempt(() => (entry?.click ?? desktop?.app.quit)?.());
    restart(setting, 'main');
  },
  'power lost': (setting) => {
    setting.world.fault('power lost');
    setting.machine.crash();
    setting.seen.accounts.disturbed(false);
    restart(setting, 'platform');
    restart(setting, 'main');
  },
  'machine asleep': (setting) => {
    const { world, random, machine, later, end } = setting;
    const ms = Math.min(random.between(1000, 30_000), end - world.now());
    world.fault('machine asleep', `${Math.round(ms)} ms`);
    stop(setting, ms);
    const { main } = machine;
    later(ms + 1, () => main?.party.schedule(0, () => void main.desktop.powerMonitor.emit('resume')));
  },
  'loop stalled': (setting) => {
    const ms = setting.random.between(100, 4000);
    setting.world.fault('loop stalled', `${Math.round(ms)} ms`);
    setting.machine.main?.party.stall(ms);
    setting.seen.times.stalled(setting.world.now() + ms + 1100);
  },
  'clock jumped': ({ world, machine, random }) => {
    world.fault('clock jumped');
    machine.wall.offset += Math.round(random.between(-7_200_000, 7_200_000));
  },
  'disk full': ({ world, machine, seen, random, later }) => {
    world.fault('disk full');
    seen.accounts.disturbed(true);
    machine.disk.room = random.below(4000);
    later(random.between(200, 6000), () => void (machine.disk.room = Infinity));
  },
  'disk read-only': ({ world, machine, seen, random, later }) => {
    world.fault('disk read-only');
    seen.accounts.disturbed(true);
    machine.disk.isReadOnly = true;
    later(random.between(200, 4000), () => void (machine.disk.isReadOnly = false));
  },
  // Both programs say that they save nothing until they start again.
  'data folder removed': (setting) => {
    const { world, machine, seen, random, later } = setting;
    // Rare: everybody is signed out.
    if (machine.disk.isReadOnly || random.chance(0.7)) return;
    world.fault('data folder removed');
    machine.disk.remove(DATA);
    seen.accounts.disturbed(true);
    seen.acknowledged.deleted();
    later(random.between(100, 6000), () => {
      seen.accounts.disturbed(false);
      for (const program of ['main', 'platform'] as const) {
        machine[program]?.party.kill();
        restart(setting, program);
      }
      seen.acknowledged.deleted();
    });
  },
  'window crashed': ({ world, machine, random }) => {
    const windows = [...(machine.main?.desktop.windows ?? [])];
    if (windows.length === 0) return;
    world.fault('window crashed');
    const { webContents } = random.pick(windows);
    webContents.crash();
    webContents.reload();
  },
  'messages to windows lost': ({ world, machine, random, later }) => {
    const windows = [...(machine.main?.desktop.windows ?? [])];
    if (windows.length === 0) return;
    world.fault('messages to windows lost');
    const { webContents } = random.pick(windows);
    webContents.loss = random.pick([0.3, 1]);
    // Some are lost until the end: then nothing that follows shows it.
    later(random.between(200, 20_000), () => void (webContents.loss = 0));
  },
};

/** The probability that a history has a fault of a kind at all, and the most of one kind. */
const KINDS = 0.3;
const MOST = 4;

/** Plans the faults of a history: some kinds, a few of each, at any time until `end`. */
export function planFaults(setting: Omit<Setting, 'random' | 'later'>): void {
  const { world, end } = setting;
  const random = world.randomOf('faults');
  const weather = new Party(world, 'weather');
  const later = (ms: number, task: () => void) => void weather.schedule(ms, task);
  // Some histories have none: they show what happens without.
  const isQuiet = random.chance(0.1);
  for (const fault of Object.values(FAULTS)) {
    if (isQuiet || !random.chance(KINDS)) continue;
    for (let count = 1 + random.below(MOST); count > 0; count--)
      later(random.between(500, end), () => fault({ ...setting, random, later }));
  }
  later(end, () => calm(setting));
}

/** Ends every fault that lasts. */
function calm({ machine }: Pick<Setting, 'machine'>): void {
  const { disk, network, main } = machine;
  disk.room = Infinity;
  disk.isReadOnly = false;
  network.refusesUntil = 0;
  network.lossOfRequests = 0;
  network.silence = 0;
  network.silentUntil = 0;
  for (const { line } of network.connections) line.delay = 20;
  for (const { webContents } of main?.desktop.windows ?? []) webContents.loss = 0;
  if (main?.party.isAlive !== true) machine.startMain();
  if (machine.platform?.party.isAlive !== true) machine.startPlatform();
}
