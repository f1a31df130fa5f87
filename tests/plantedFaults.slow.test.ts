import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { findSchema } from '#replay/commands/find.ts';
import { reportSchema } from '#replay/verify/resultsFile.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';

const CHECKOUT = resolve(import.meta.dirname, '..');
const CAPTURES = join(CHECKOUT, 'tests/captures');

/**
 * Faults in a reducer or the decoder: a file of `src/shared`, the function with the number of its lines before and after the fault; and the only line with
 * this text, in which ‹› has the operator or literal and what replaces it. Drawn by chance before the program below was written (mulberry32, seed 33),
 * without those in no function or in `display.ts`, and those with which no capture of `tests/captures` differs.
 */
const FAULTS = `
store/conversationSlices.ts withArrivals 5 2
if (update.kind ‹!==|===› 'snapshot') return arrivals;
protocol/update.ts decodeUpdate 1 13
if (data ‹===|!==› null) return rejected('notText');
protocol/update.ts textOrNull 1 0
typeof value ‹===|!==› 'string' || value === undefined || value === null ? undefined : fault(frame, name);
store/queue.ts nextRelease 2 8
if (received ‹===|!==› undefined) return undefined;
store/overlayState.ts assistantAnswered 6 1
return { ...shown, work: null, result, ...(result.kind === 'tested' ‹&&|||› { models: result.models }) };
conversation/applyUpdate.ts withPerson 1 0
person ‹===|!==› conversation.person ? conversation : { ...conversation, person };
store/windowState.ts fileDropLeft 0 0
.addCase(fileDropLeft, () => ‹false|true›)
store/windowState.ts signInFormCleared 0 0
.addCase(signInFormCleared, ({ cleared }) => ({ ...emptyForm, cleared: cleared ‹+|-› 1 }))
conversation/conversation.ts withText 1 3
if (‹!|›hasFields(item, ITEM_FIELDS)) return { ...item, text };
store/sharedSlices.ts recordingStarted 1 1
if (audio.isOn) audio.isRecording = ‹true|false›;
`
  .trim()
  .split(/\n(?=\w+\/)/u)
  .map((fault) => {
    const [place = '', line = ''] = fault.split('\n');
    const [path, , before, after] = place.split(' ');
    const file = `src/shared/${path}`;
    const [from, to] = ['$1', '$2'].map((kept) => line.replace(/‹(.*?)\|(.*)›/u, kept));
    const lines = readFileSync(join(CHECKOUT, file), 'utf8').split('\n');
    const found = lines.flatMap((one, at) => (one.trim() === from ? at : []));
    const [at = 0] = found;
    if (found.length !== 1) throw new Error(`${file} has ${found.length} lines with the text of a fault`);
    lines[at] = to ?? '';
    return {
      fault,
      file,
      text: lines.join('\n'),
      first: at + 1 - Number(before),
      last: at + 1 + Number(after),
    };
  });

type Fault = (typeof FAULTS)[number];

/** The program is built without its other parts. */
const BUILD = `
  import { createBuilder } from 'vite';
  const builder = await createBuilder({ configFile: './vite.config.ts', logLevel: 'error' });
  for (const name of ['replay', 'replayedApp', 'sourceLines']) await builder.build(builder.environments[name]);
`;

/** Copies what the replay tool is built from. Returns functions that plant a fault, and run the tool that contains it. */
function copyCheckout() {
  const root = mainFolder();
  for (const name of ['src', 'tools', 'sim', 'package.json', 'vite.config.ts', 'tsconfig.json'])
    cpSync(join(CHECKOUT, name), join(root, name), { recursive: true });
  symlinkSync(join(CHECKOUT, 'node_modules'), join(root, 'node_modules'));
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 } as const;
  return {
    /** Builds the tool with a fault, which replaces the one before. */
    plant({ file, text }: Fault): void {
      cpSync(join(CHECKOUT, 'src/shared'), join(root, 'src/shared'), { recursive: true });
      writeFileSync(join(root, file), text);
      const built = spawnSync(process.execPath, ['--input-type=module', '-e', BUILD], options);
      expect(built).toMatchObject({ status: 0, stderr: '' });
    },
    /** Runs a command. Returns its document; `undefined` when it has printed none. */
    run<T>(schema: z.ZodType<T>, ...args: readonly string[]): T | undefined {
      const tool = [join(root, 'out/replay/cli.js'), ...args, '--json'];
      const { stdout } = spawnSync(process.execPath, tool, options);
      return stdout === '' ? undefined : schema.parse(JSON.parse(stdout));
    },
  };
}

type Run = ReturnType<typeof copyCheckout>['run'];
type Report = z.infer<typeof reportSchema>;

const namedSchema = z.object({ file: z.string(), line: z.number(), function: z.string(), text: z.string() });
const stepsSchema = z
  .array(z.object({ step: z.number(), lines: z.array(namedSchema).optional() }))
  .optional();

/** A function of the source, by a line of it that ran, with its text. */
type Named = z.infer<typeof namedSchema>;

/** The part of the document of `why` that the program reads. */
const whySchema = z.object({ step: z.number(), entries: stepsSchema, candidates: stepsSchema });

/** What the program asks: why a value is what it is after a step, or at a time; and the words that a line about it can mention. */
type Question = Readonly<Record<'capture' | 'path' | 'at', string>> & { readonly words: readonly string[] };

/**
 * Names the function that contains the fault, from what the commands print. `verify` names the captures and paths that differ; `why` the lines that ran when
 * one changed, or could have. The functions of such a list share a vote equally: it counts more for one that mentions the name or the wrong text. Of two
 * that are equal, it is the one that the other calls. An error's innermost frame has a vote.
 */
function nameFault(run: Run, frames: readonly Named[], questions: readonly Question[]): Named | undefined {
  const votes = new Map<string, { named: Named; votes: number }>();
  for (const named of frames) votes.set(keyOf(named), { named, votes: 1 });
  for (const question of questions) {
    const list = linesOf(run, question);
    const functions = new Map(list.map((one) => [keyOf(one), one]));
    const isIn = (key: string, word: string) =>
      list.some((one) => keyOf(one) === key && one.text.includes(word));
    const mentioned = (key: string) => question.words.filter((word) => isIn(key, word)).length;
    for (const [key, named] of functions) {
      const vote = MENTIONED ** mentioned(key) / functions.size;
      votes.set(key, { named, votes: (votes.get(key)?.votes ?? 0) + vote });
    }
    for (const [key, { function: name }] of functions) {
      const calls = ({ text }: Named) => text.includes(`${name}(`) || text.includes(`, ${name}`);
      const known = votes.get(key);
      if (known !== undefined && list.some((one) => keyOf(one) !== key && calls(one)))
        known.votes *= 1 + 1e-6;
    }
  }
  return [...votes.values()].sort((a, b) => b.votes - a.votes)[0]?.named;
}

const keyOf = ({ file, function: name }: Named): string => `${file} ${name}`;

/** How many times more a vote counts for a function that mentions the value, for each of its words. */
const MENTIONED = 8;

/** Returns what a line about a value can mention: the innermost name of its path that is not that of a length, and the text that it has wrongly. */
function wordsOf(path: string, got: unknown): readonly string[] {
  const names = path.replace(/\.length$/, '').match(/[A-Za-z_$][\w$]*/g);
  return [names?.at(-1) ?? path, ...(typeof got === 'string' && got !== '' ? [got] : [])];
}

/** Returns the lines that ran when a value changed, or did not. The counts change at each step. */
function linesOf(run: Run, { capture, path, at }: Question): readonly Named[] {
  const asked = [capture, path, '--at', at];
  const answer = run(whySchema, 'why', ...asked);
  const [newest] = answer?.entries ?? [];
  const step = answer?.step;
  if (newest !== undefined && (newest.step === step || path.startsWith('counts'))) return newest.lines ?? [];
  const candidates = run(whySchema, 'why', ...asked, '--not')?.candidates ?? [];
  const candidate = candidates.find((one) => one.step === step) ?? candidates[0];
  const lines = candidate?.lines ?? newest?.lines;
  if (lines !== undefined || path === 'counts.applied') return lines ?? [];
  // The state of the inspector does not contain the value, such as the time of a message: the counts stand for it.
  return linesOf(run, { capture, path: 'counts.applied', at, words: [] });
}

/** The most captures and the most paths of each about which `why` is asked. */
const MOST = 4;

const differencesIn = ({ results }: Report) =>
  results
    .flatMap(({ capture, difference }) => (difference === undefined ? [] : [{ capture, ...difference }]))
    .slice(0, MOST);

/** Returns the places that differ, with the step of the update that `verify` names, the time, or the end. */
const questionsOf = (run: Run, report: Report): Question[] =>
  differencesIn(report).flatMap(({ capture, update, at: time, state, end, ended = [] }) => {
    const found = update && run(findSchema, 'find', capture, '--update', `${update.number}`);
    const at = `${found?.steps[0]?.step ?? `${time ?? Number.MAX_SAFE_INTEGER}ms`}`;
    const places = [...state, ...end, ...ended].filter(({ path }) => path !== 'hash').slice(0, MOST);
    return places.map(({ path: place, got }) => {
      const path = statePath(place);
      return { capture, path, at, words: wordsOf(path, got) };
    });
  });

/** Returns the path in the state of a place that `verify` names: of a rejected frame, that of the counts; of a window's state, without its time. */
const statePath = (path: string): string =>
  path.startsWith('rejectedFrames[') ? 'counts.rejected' : path.replace(/ at [\d.]+ ms$/, '');

/** Returns the innermost frames of the errors that `verify` reports: `applyUpdate (src/shared/conversation/applyUpdate.ts:40:12)`. */
const framesOf = (report: Report): Named[] =>
  differencesIn(report).flatMap(({ thrown }) => {
    const [, name = '', file = '', line = ''] =
      /^(?:(.*) \()?(.*?):(\d+):\d+\)?$/.exec(thrown?.stack[0] ?? '') ?? [];
    return file === '' ? [] : [{ function: name, file, line: Number(line), text: '' }];
  });

/** The number of faults that must be named. */
const LEAST = 8;

test('a program that only calls verify, find and why names the file and the function of planted faults', () => {
  expect(FAULTS).toHaveLength(10);
  const { plant, run } = copyCheckout();
  const named = FAULTS.map((fault) => {
    plant(fault);
    const report = run(reportSchema, 'verify', CAPTURES, '--values');
    if (report === undefined) return { fault, isFound: false, named: undefined };
    const [frames, questions] = [framesOf(report), questionsOf(run, report)];
    const isFound = frames.length + questions.length > 0;
    return { fault, isFound, named: nameFault(run, frames, questions) };
  });
  // Each of them makes a capture differ.
  expect(named.filter(({ isFound }) => !isFound)).toEqual([]);
  const right = named.filter(
    ({ fault: { file, first, last }, named: one }) =>
      one?.file === file && first <= one.line && one.line <= last,
  );
  const wrong = named.filter((one) => !right.includes(one));
  expect(right.length < LEAST ? wrong : []).toEqual([]);
});
