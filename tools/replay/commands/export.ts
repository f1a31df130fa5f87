import { Command } from '@commander-js/extra-typings';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { APP, type CommandMaker, replayedBy, runApp } from '../adapter/loadAdapter.ts';
import type { DevToolsLog } from '../adapter/toolApp.ts';
import type { AppAction } from '../engine/appAdapter.ts';
import { appActionOf, isAction } from '../engine/appSession.ts';
import { createEngine } from '../engine/createEngine.ts';
import { isFrame } from '../engine/frames.ts';
import type { SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { ownStateOf } from '../engine/stateReports.ts';
import type { CaptureReader } from '../read/captureDecoder.ts';
import { preparedFor } from '../engine/replayFile.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { readCapture } from '../read/readCapture.ts';
import { captureName } from '../read/stdin.ts';
import { UsageError } from '../base/errors.ts';
import { harText } from '../convert/harText.ts';
import { FORCE, openResult } from '../base/openResult.ts';
import { captureField, field, jsonDocument, jsonLine, outputField } from '../base/jsonDocument.ts';
import { ONE_CAPTURE, oneOf, wholeNumber } from '../base/commandOptions.ts';
import { printWarnings } from '../base/output.ts';

const FORMATS = ['har', 'redux-devtools'] as const;

/** The maximum length, characters. The file contains each state completely, so it grows with the square of a session's length. */
const LIFTED_LIMIT = 64 * 1024 * 1024;

const exportSchema = jsonDocument('export', 'a capture in another format', {
  capture: captureField,
  output: outputField,
  to: field.choice(FORMATS, 'the format of the file'),
});

/** Creates the command `export`, which converts a capture to another tool's format (contract §7). */
export const exportCommand: CommandMaker = ({ output, own }) =>
  new Command('export')
    .description(
      'writes a capture as a HAR that Chrome imports, or as a state that Redux DevTools imports ' +
        `(up to ${LIFTED_LIMIT / 1024 / 1024} MB, because it contains each state completely)`,
    )
    .argument('<capture>', ONE_CAPTURE)
    .requiredOption('--to <format>', FORMATS.join(' or '), oneOf('--to', FORMATS))
    .option('-o, --output <file>', 'a file, gzipped if it ends in .gz; - is stdout', '-')
    .option('--until <updates>', 'redux-devtools: stops after this number of updates', wholeNumber('--until'))
    .option(...APP)
    .option(...FORCE)
    .option('--json', 'one JSON document on stdout')
    .action(async (given, { to, output: path, until, app, force, json }, command) => {
      const other = until === undefined ? '--app' : '--until';
      if (to === 'har' && command.getOptionValueSource(other.slice(2)) === 'cli')
        throw new UsageError(`${other} is for --to redux-devtools`);
      const replayed = await replayedBy(app, own);
      const log = app === undefined ? own.devTools : undefined;
      const result = await openResult({ path, force, json }, output);
      const capture = await oneCapture(given);
      const reader = await readCapture(capture);
      const lifted = async () => {
        const { adapter, warnings } = await preparedFor(capture, replayed);
        printWarnings(output, warnings);
        return logOf({ ...reader, until, adapter, log });
      };
      await result.write(to === 'har' ? harText(reader) : liftedState(await runApp(app, lifted)));
      printWarnings(output, reader.warnings);
      const document = { capture: captureName(capture), output: result.name, to };
      if (json) result.print(jsonLine(exportSchema, document));
      else if (path !== '-') output.err(`${path}: written\n`);
    });

interface LogOptions extends Pick<CaptureReader, 'header' | 'records'> {
  /** Stops after this number of updates. */
  readonly until?: number | undefined;
  readonly adapter: SessionAdapter;
  /** What the log contains of the app; without it, all. */
  readonly log?: DevToolsLog | undefined;
}

/**
 * Formats a session as the state that the Redux DevTools extension imports, as JSON in pieces: an action for each update at
 * its tick, each change of the connection and each sent message, and the state after it in the specification's shape.
 */
function* liftedState({ actions, states }: Awaited<ReturnType<typeof logOf>>): Generator<string, void> {
  const ids = actions.map((_, i) => i);
  const list = JSON.stringify(ids);
  yield `{"monitorState":{},"nextActionId":${ids.length},"actionsById":{`;
  for (const id of ids) yield `${id === 0 ? '' : ','}"${id}":${actions[id]}`;
  yield `},"stagedActionIds":${list},"skippedActionIds":[],"committedState":${states[0]},`;
  yield `"currentStateIndex":${ids.length - 1},"computedStates":[`;
  for (const id of ids) yield `${id === 0 ? '' : ','}{"state":${states[id]}}`;
  yield `],"isLocked":false,"isPaused":false}\n`;
}

/**
 * Returns the actions of a session, and the state after each, as JSON.
 * @throws {UsageError} when they would be larger than the limit; the message says up to which update they fit.
 */
async function logOf({ adapter, log, header, records, until }: LogOptions) {
  const { stateOf, updateAction, recordAction } = log ?? wholeLog(adapter);
  const startedAt = Date.parse(header.startedAt);
  const actions: string[] = [];
  const states: string[] = [];
  let length = 0;
  let updates = 0;
  const add = (t: number, action: AppAction, state: SessionState) => {
    const lifted = JSON.stringify({ type: 'PERFORM_ACTION', action, timestamp: startedAt + t });
    const json = JSON.stringify(stateOf(state));
    actions.push(lifted);
    states.push(json);
    length += lifted.length + json.length;
    if (length <= LIFTED_LIMIT) return;
    throw new UsageError(
      `the states would take more than ${LIFTED_LIMIT / 1024 / 1024} MB, which Redux DevTools cannot show: ` +
        `use fewer updates with --until ${updates}`,
    );
  };
  const engine = createEngine(adapter, {
    until,
    onStep(step) {
      add(step.tick, updateAction(step), step.after);
      updates = step.number;
    },
  });
  const take = (record: CaptureRecord): boolean => {
    if (!engine.take(record)) return false;
    const action = recordAction(record);
    if (action !== undefined) add(record.t, action, engine.state());
    return true;
  };
  add(0, { type: '@@INIT' }, adapter.initialState);
  for await (const batch of records()) if (!batch.every(take)) break;
  engine.finish();
  return { actions, states };
}

/**
 * The log with all of an app: each update, each recorded action, each open and close, and each sent frame. An update that is an action stays as
 * it is; another one has its kind as the type.
 */
const wholeLog = (adapter: SessionAdapter): DevToolsLog => ({
  stateOf: (state) => ownStateOf(adapter, state),
  updateAction: ({ kind, update }) => (isAction(update) ? update : { type: kind, payload: update }),
  recordAction: (record) => (isFrame(record, 'send') ? { type: 'frame/sent' } : appActionOf(record)),
});
