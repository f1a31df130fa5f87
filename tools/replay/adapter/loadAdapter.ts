import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type ExitStatus, UsageError } from '../base/errors.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import type { Output } from '../base/output.ts';
import { resolve } from 'node:path';
import { createTemporaryFolder } from '../base/temporaryFolder.ts';
import { errorCode } from '#shared/formatText.ts';
import { bundleProblem, bundleSource } from '../base/bundleSource.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { pathToFileURL } from 'node:url';
import { CaptureError } from '../read/captureDecoder.ts';
import { type Adapter, checkAdapter, isStoreAdapter, plainAdapter, replayedApp } from './checkAdapter.ts';
import type { Replayed } from '../engine/sessionAdapter.ts';
import type { StoreAdapter } from '../store/storeAdapter.ts';
import type { ToolApp } from './toolApp.ts';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What the commands of the tool share. */
export interface CommandContext {
  readonly output: Output;
  /** Takes the exit status of the command; by default it is 0. */
  readonly finish: (status: ExitStatus) => void;
  /** The app that is replayed without `--app`. */
  readonly own: ToolApp;
}

/** Creates a command of the tool. */
export type CommandMaker = (context: CommandContext) => CommandUnknownOpts;

/** The commander option of every command that replays frames of another app. */
export const APP = ['--app <adapter>', 'replays the frames of another app, with its adapter module'] as const;

/** @throws {UsageError} when the user gave an engine of Parley with `--app`. */
export function refuseEngine(command: CommandUnknownOpts): void {
  if (command.getOptionValueSource('engine') === 'cli')
    throw new UsageError('--engine selects an engine of Parley; an adapter (--app) has one');
}

/** @throws {UsageError} when the user gave captures that follow, and the sessions of the app have no end. */
export function refuseThen({ adapter }: Replayed, then: readonly string[] | undefined): void {
  if (then !== undefined && adapter.endsSession === undefined)
    throw new UsageError('--then is for sessions of Parley; the session of another app (--app) has no end');
}

/**
 * Bundles the module of an adapter with its imports, and loads it. A worker can load the bundle too; `remove` removes it, as the end of the process does.
 * @param given the module's path, relative to the working folder: TypeScript or JavaScript.
 * @throws {UsageError} in one line, when it cannot be bundled or loaded, or is not an adapter.
 */
export async function bundleAdapter(given: string) {
  const { folder: out, remove } = createTemporaryFolder('parley-adapter-');
  try {
    const file = await bundleSource({ root: process.cwd(), entry: resolve(given), out }).catch(
      (error: unknown) => {
        const isMissing = errorCode(error) === 'ERR_MODULE_NOT_FOUND';
        const problem = isMissing
          ? 'needs the package rolldown, which is not installed; run `npm ci`'
          : `cannot be bundled: ${bundleProblem(error)}`;
        throw failure(given, problem, error);
      },
    );
    await refuseEndlessLoading(file, given);
    return { adapter: await loadAdapter(file, given), file, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Returns the adapter of a module. @throws {UsageError} as `bundleAdapter` does. */
async function adapterIn(given: string): Promise<Adapter> {
  const { adapter, remove } = await bundleAdapter(given);
  remove();
  return adapter;
}

/**
 * Returns the app of an adapter's module, for a command that replays in its own thread; without a module, the own app.
 * @throws {UsageError} as `bundleAdapter` does.
 */
export async function replayedBy(given: string | undefined, own: Replayed): Promise<Replayed> {
  return given === undefined ? own : replayedApp(await adapterIn(given));
}

/**
 * Returns the adapter of a module, for the inspector.
 * @throws {UsageError} as `bundleAdapter` does, and for an adapter that keeps the session itself.
 */
export async function adapterOf(given: string): Promise<ShownAdapter> {
  const adapter = await adapterIn(given);
  if (isStoreAdapter(adapter)) return adapter;
  if (!('take' in adapter)) return plainAdapter(adapter);
  throw failure(given, 'the inspector shows adapters with `decode` or `createStore`, not those with `take`');
}

/** An adapter whose sessions the inspector shows. */
export type ShownAdapter = AppAdapter | StoreAdapter;

/**
 * Loads an adapter from its bundle.
 * @param given the path of the module as the user wrote it, for errors.
 * @param search an ending of the module's URL: with another one, its code is loaded again.
 * @throws {UsageError} when it throws, or is not an adapter.
 */
export async function loadAdapter(file: string, given = file, search = ''): Promise<Adapter> {
  const url = `${pathToFileURL(file).href}${search}`;
  const loaded: unknown = await import(/* @vite-ignore */ url).catch((error: unknown) => {
    throw failure(given, `throws when it is loaded: ${lineOf(error)}`, error);
  });
  try {
    return checkAdapter(loaded);
  } catch (error) {
    throw failure(given, lineOf(error), error);
  }
}

let loadings = 0;

/** Loads the adapter of a store from its bundle, with new modules. @throws {UsageError} as `loadAdapter` does. */
export async function loadStoreAdapter(file: string): Promise<StoreAdapter> {
  const adapter = await loadAdapter(file, file, `?${++loadings}`);
  if (isStoreAdapter(adapter)) return adapter;
  throw failure(file, 'is no adapter of a store');
}

/** Runs code of an app, which may never return, as {@link leaveSignalsToSystem} does; an error is {@link adapterError}. */
export const runApp = <T>(given: string | undefined, run: () => Promise<T>): Promise<T> =>
  leaveSignalsToSystem(run).catch((error: unknown) => {
    throw adapterError(given, error);
  });

/**
 * Returns the error about an adapter that threw while it replayed a capture; an error about the capture itself stays, and so does one without an adapter.
 */
export function adapterError(given: string | undefined, error: unknown): unknown {
  if (given === undefined || error instanceof CaptureError || error instanceof UsageError) return error;
  const name = error instanceof Error ? error.name : typeof error;
  return failure(given, `the adapter threw ${name}: ${lineOf(error)}`, error);
}

const failure = (given: string, problem: string, cause?: unknown): UsageError =>
  new UsageError(`--app ${given}: ${problem}`, { cause });

const lineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join('');

/** The longest time of loading an adapter, milliseconds. It is long, because other programs may use the machine. */
const LOADING_MS = 30_000;

/** Ends when the module is loaded. What is wrong with it is found, and reported, where it is used. */
const LOAD = `const { workerData } = require('node:worker_threads');
  import(workerData).catch(() => undefined).finally(() => process.exit());`;

/**
 * Loads a bundle of an adapter in a thread, which ends also while its code loops: in this thread, such a module would block every signal.
 * @param given the path of the module as the user wrote it, for the error.
 * @throws {UsageError} when loading takes longer than the limit.
 */
export async function refuseEndlessLoading(file: string, given: string, limitMs = LOADING_MS) {
  // What the module prints is printed when it is used.
  const output = { stdout: true, stderr: true };
  const thread = new Worker(LOAD, { eval: true, workerData: pathToFileURL(file).href, ...output });
  const ended = once(thread, 'exit', { signal: AbortSignal.timeout(limitMs) });
  const isLate = await ended.then(
    () => false,
    // An error of the module ends the thread too.
    ({ name }: Error) => name === 'AbortError',
  );
  await thread.terminate();
  if (isLate) throw failure(given, `is not loaded after ${limitMs / 1000} s`);
}
