import type { About } from '#shared/ipc/tools.ts';
import type { Settings } from '#shared/settings.ts';
import type { MainState } from '../store/mainStore.ts';

/** What the diagnostics are made of. */
export interface DiagnosticsSource {
  readonly about: About;
  /** The system, by name and version: `linux 6.1.0 x64`. */
  readonly system: string;
  readonly settings: Pick<Settings, 'platform' | 'capture'>;
  readonly state: MainState;
  readonly windows: number;
  readonly log: readonly string[];
}

/**
 * What helps to find out why something does not work, for a person to send on: versions, settings, numbers and the
 * last of the log. Nothing of who they are, where they connect, or what was said.
 */
export function diagnosticsText({ about, system, settings, state, windows, log }: DiagnosticsSource): string {
  const { preferences, connection, audio, conversation, queue, counts } = state;
  const lines: readonly (readonly [string, string | number])[] = [
    ['Parley', about.parley],
    ['Host', about.host],
    ['Chromium', about.chromium ?? 'the browser’s own'],
    ['Node', about.node],
    ['System', system],
    ['Platform', platformWords(settings)],
    ['Sessions recorded', yesOrNo(settings.capture)],
    ['Voice', `${onOrOff(preferences.audio)}${setBy(preferences.fromEnvironment.includes('audio'))}`],
    ['Theme', preferences.theme],
    ['Signed in', yesOrNo(state.account.id !== null)],
    ['Connection', `${connection.status}${connection.closedBecause === null ? '' : ', closed for a reason'}`],
    ['Recording', yesOrNo(audio.isRecording)],
    ['Windows', windows],
    ['Messages', conversation.messages.length],
    ['Frames', `${counts.received} received, ${counts.sent} sent, ${counts.dropped} dropped`],
    ['Updates', `${counts.applied} applied, ${counts.ignored} ignored, ${queue.length} waiting`],
    ['Rejected', rejectedWords(counts.rejected)],
  ];
  const facts = lines.map(([name, value]) => `${name}: ${value}`);
  return `${[...facts, '', `Last ${log.length} lines of the log:`, ...log].join('\n')}\n`;
}

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');
const onOrOff = (is: boolean) => (is ? 'on' : 'off');
const setBy = (environment: boolean) => (environment ? ', set by the environment' : '');

/** Which kind of platform, not where it is. */
function platformWords({ platform }: Pick<Settings, 'platform'>): string {
  if (platform === null) return 'built-in';
  return platform.platformUrl.startsWith('wss:') ? 'another one, encrypted' : 'another one, not encrypted';
}

function rejectedWords(rejected: Readonly<Record<string, number | undefined>>): string {
  const words = Object.entries(rejected).map(([reason, count]) => `${reason} ${count}`);
  return words.length === 0 ? 'none' : words.join(', ');
}
