import type { About } from '#shared/ipc/channels.ts';
import { BrowserWindow, clipboard } from 'electron';
import os from 'node:os';
import type { Logger } from '#node/createLogger.ts';
import type { Settings } from '#shared/settings.ts';
import { license, version } from '../../../package.json';
import type { LogTail } from '../base/createLog.ts';
import type { MainStore, MainState } from '../store/mainStore.ts';

interface Options {
  readonly settings: Settings;
  readonly store: MainStore;
  readonly tail: LogTail;
  readonly log: Logger;
}

/** Copies the current diagnostics to the clipboard. Resolves to whether this succeeded. */
export async function copyDiagnostics({ settings, store, tail, log }: Options): Promise<boolean> {
  try {
    const text = diagnosticsText({
      about: aboutParley(process.versions),
      system: `${os.platform()} ${os.release()} ${os.arch()}`,
      settings,
      state: store.getState(),
      windows: BrowserWindow.getAllWindows().length,
      log: tail.lines(),
    });
    await clipboard.writeText(text);
    return true;
  } catch {
    log.warn('the diagnostics could not be copied to the clipboard');
    return false;
  }
}

/** The sources of the diagnostics. */
interface DiagnosticsSource {
  readonly about: About;
  /** The system's name, version and architecture: `linux 6.1.0 x64`. */
  readonly system: string;
  readonly settings: Pick<Settings, 'platform' | 'capture'>;
  readonly state: MainState;
  readonly windows: number;
  readonly log: readonly string[];
}

/**
 * Returns the diagnostics that a person can send to a developer: versions, settings, numbers and the last lines of the
 * log. They contain no name, address or message.
 */
export function diagnosticsText({ about, system, settings, state, windows, log }: DiagnosticsSource): string {
  const { preferences, connection, audio, conversation, queue, counts } = state;
  const lines: readonly (readonly [string, string | number])[] = [
    ['Parley', about.parley],
    ['Host', about.host],
    ['Chromium', about.chromium ?? 'the browser’s own'],
    ['Node', about.node],
    ['System', system],
    ['Platform', platformText(settings)],
    ['Sessions recorded', yesOrNo(settings.capture)],
    ['Voice', `${onOrOff(preferences.audio)}${setByText(preferences.fromEnvironment.includes('audio'))}`],
    ['Theme', preferences.theme],
    ['Signed in', yesOrNo(state.account.id !== null)],
    ['Connection', `${connection.status}${connection.closedBecause === null ? '' : ', closed for a reason'}`],
    ['Recording', yesOrNo(audio.isRecording)],
    ['Windows', windows],
    ['Messages', conversation.messages.length],
    ['Frames', `${counts.received} received, ${counts.sent} sent, ${counts.dropped} dropped`],
    ['Updates', `${counts.applied} applied, ${counts.ignored} ignored, ${queue.length} waiting`],
    ['Rejected', rejectedText(counts.rejected)],
  ];
  const facts = lines.map(([name, value]) => `${name}: ${value}`);
  return `${[...facts, '', `Last ${log.length} lines of the log:`, ...log].join('\n')}\n`;
}

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');
const onOrOff = (is: boolean) => (is ? 'on' : 'off');
const setByText = (environment: boolean) => (environment ? ', set by the environment' : '');

/** Returns the kind of the platform without its address. */
function platformText({ platform }: Pick<Settings, 'platform'>): string {
  if (platform === null) return 'built-in';
  return platform.platformUrl.startsWith('wss:') ? 'another one, encrypted' : 'another one, not encrypted';
}

function rejectedText(rejected: Readonly<Record<string, number | undefined>>): string {
  const words = Object.entries(rejected).map(([reason, count]) => `${reason} ${count}`);
  return words.length === 0 ? 'none' : words.join(', ');
}

/** Returns the program's version and the versions of its runtime (`process.versions`). */
export const aboutParley = (versions: Readonly<Record<string, string | undefined>>): About => ({
  parley: PARLEY_VERSION,
  host: versions['electron'] === undefined ? 'web host' : `Electron ${versions['electron']}`,
  chromium: versions['chrome'] ?? null,
  node: versions['node'] ?? '',
  licence: license,
});

/** Parley's version. `app.getVersion()` is Electron's own version when Electron starts from a file, as `npm start` starts it. */
export const PARLEY_VERSION = version;
