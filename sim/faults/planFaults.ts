import type { Observations } from '../checks/observations.ts';
import { DATA, type Machine } from '../machine/machine.ts';
import type { WebContents } from '../machine/webContents.ts';
import type { Connection } from '../network/network.ts';
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

/** Injects a fault; returns `false` when there is nothing that it could affect now, or what its note says. */
type Fault = (setting: Setting) => string | false | void;

/** A fault of a random connection. */
const ofConnection =
  (fault: (connection: Connection, setting: Setting) => ReturnType<Fault>): Fault =>
  (setting) => {
    const connections = [...setting.machine.network.connections];
    return connections.length > 0 && fault(setting.random.pick(connections), setting);
  };

/** A fault of a random window. */
const ofWindow =
  (fault: (contents: WebContents, setting: Setting) => void): Fault =>
  (setting) => {
    const windows = [...(setting.machine.main?.desktop.windows ?? [])];
    return windows.length > 0 && fault(setting.random.pick(windows).webContents, setting);
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
  setting.machine[program]?.party.kill();
  restart(setting, program);
}

/** Stops the programs of the machine for a time. */
function stop({ machine, seen, world }: Setting, ms: number): void {
  for (const run of [machine.main, machine.platform]) run?.party.stall(ms);
  for (const { webContents } of machine.main?.desktop.windows ?? []) webContents.page?.party.stall(ms);
  seen.times.stalled(world.now() + ms + 1100);
}

/** The faults that can happen, by name. Each may happen at any event. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'connection lost': ofConnection(({ server, client }) => {
    server?.finish(1006, '');
    client.receiveLater({ kind: 'reset' });
  }),
  'connection dead': ofConnection(({ line }) => void (line.isDead = true)),
  'connection closed': ofConnection(({ server }, { random }) => {
    if (server === undefined) return false;
    const reason = random.pick(['', '', 'maintenance', 'unauthorized']);
    server.close(reason === 'unauthorized' ? 4401 : 1012, reason);
    return reason;
  }),
  'slow line': ofConnection(({ line }, { random, later }) => {
    line.delay = random.between(50, 3000);
    later(random.between(500, 8000), () => void (line.delay = 20));
  }),
  'upgrades refused': ({ world, machine, random }) => {
    machine.network.refusesUntil = world.now() + random.between(200, 4000);
  },
  'requests lost': ({ machine, random, later }) => {
    machine.network.lossOfRequests = 0.5;
    later(random.between(500, 8000), () => void (machine.network.lossOfRequests = 0));
  },
  'requests unanswered': ({ world, machine, random, later }) => {
    machine.network.silence = 0.7;
    machine.network.silentUntil = world.now() + random.between(500, 8000);
    later(random.between(500, 8000), () => void (machine.network.silence = 0));
  },
  'unknown frame': ofConnection(({ server, client }, { random }) => {
    if (server === undefined) return false;
    const text = random.pick(['not JSON', '{"unknown":1}', '{"text":"without a message"}', '[]']);
    client.receiveLater({ kind: 'text', data: Buffer.from(text) });
    return text;
  }),
  'main killed': (setting) => kill(setting, 'main'),
  'platform killed': (setting) => kill(setting, 'platform'),
  'platform stopped': (setting) => {
    const { platform } = setting.machine;
    if (platform?.running === undefined) return false;
    const { running, party } = platform;
    const end = () => {
      party.kill();
      restart(setting, 'platform');
    };
    return party.attempt(() => void running.close().then(end));
  },
  'program quit': (setting) => {
    const { machine, random } = setting;
    const { party, desktop } = machine.main ?? {};
    const entry = random.chance(0.5) ? desktop?.tray().find(({ label }) => label === 'Quit') : undefined;
    party?.attempt(() => (entry?.click ?? desktop?.app.quit)?.());
    restart(setting, 'main');
  },
  'power lost': (setting) => {
    setting.machine.crash();
    setting.seen.accounts.disturbed(false);
    restart(setting, 'platform');
    restart(setting, 'main');
  },
  'machine asleep': (setting) => {
    const { world, random, machine, later, end } = setting;
    const ms = Math.min(random.between(1000, 30_000), end - world.now());
    stop(setting, ms);
    const { main } = machine;
    later(ms + 1, () => main?.party.schedule(0, () => void main.desktop.powerMonitor.emit('resume')));
    return `${Math.round(ms)} ms`;
  },
  'loop stalled': (setting) => {
    const ms = setting.random.between(100, 4000);
    setting.machine.main?.party.stall(ms);
    setting.seen.times.stalled(setting.world.now() + ms + 1100);
    return `${Math.round(ms)} ms`;
  },
  'clock jumped': ({ machine, random }) => {
    machine.wall.offset += Math.round(random.between(-7_200_000, 7_200_000));
  },
  'host sessions ended': ({ machine: { hostUsers } }) => hostUsers !== undefined && hostUsers.endSessions(),
  'disk full': ({ machine, seen, random, later }) => {
    seen.accounts.disturbed(true);
    machine.disk.room = random.below(4000);
    later(random.between(200, 6000), () => void (machine.disk.room = Infinity));
  },
  'disk read-only': ({ machine, seen, random, later }) => {
    seen.accounts.disturbed(true);
    machine.disk.isReadOnly = true;
    later(random.between(200, 4000), () => void (machine.disk.isReadOnly = false));
  },
  // Both programs say that they save nothing until they start again.
  'data folder removed': (setting) => {
    const { machine, seen, random, later } = setting;
    // Rare: everybody is signed out.
    if (machine.disk.isReadOnly || random.chance(0.7)) return false;
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
    return '';
  },
  'window crashed': ofWindow((contents) => {
    contents.crash();
    contents.reload();
  }),
  'messages to windows lost': ofWindow((contents, { random, later }) => {
    contents.loss = random.pick([0.3, 1]);
    // Some are lost until the end: then nothing that follows shows it.
    later(random.between(200, 20_000), () => void (contents.loss = 0));
  }),
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
  for (const [name, fault] of Object.entries(FAULTS)) {
    if (isQuiet || !random.chance(KINDS)) continue;
    for (let count = 1 + random.below(MOST); count > 0; count--)
      later(random.between(500, end), () => {
        const note = fault({ ...setting, random, later });
        if (note !== false) world.fault(name, note ?? '');
      });
  }
  later(end, () => calm(setting));
}

/** Ends every fault that lasts. */
function calm({ machine }: Pick<Setting, 'machine'>): void {
  const { disk, network, main, hostUsers } = machine;
  if (hostUsers !== undefined) hostUsers.isWell = true;
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
