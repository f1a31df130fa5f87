import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import * as toolkitModule from '@reduxjs/toolkit';
import type { Party } from '../world/world.ts';
import type { Disk } from './disk.ts';
import { nodeFs } from './nodeFs.ts';

const require = createRequire(import.meta.url);
/** A plain object: quick to copy. */
const toolkit = { ...toolkitModule };

/** What a password takes. */
const SCRYPT_MS = 50;

/** Creates `node:crypto` of a party: what is random follows from the seed, and scrypt is a hash that takes its time. */
function cryptoOf(party: Party): object {
  const { random } = party;
  const randomBytes = (size: number) => Buffer.from(Array.from({ length: size }, () => random.below(256)));
  const randomUUID = () => {
    const hex = randomBytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  type Answer = (error: null, hash: Buffer) => void;
  const scrypt = (password: string, salt: Buffer, ...[length, , answer]: [number, object, Answer]) => {
    const hash = createHash('sha512').update(password).update(salt).digest().subarray(0, length);
    party.schedule(SCRYPT_MS, () => answer(null, hash));
  };
  return { createHash, createHmac, timingSafeEqual, randomBytes, randomUUID, scrypt };
}

/** Creates `pino`, whose lines have the party's time. */
function pinoOf(today: () => Date): object {
  const pino: object = require('pino');
  const stdTimeFunctions = { isoTime: () => `,"time":"${today().toISOString()}"` };
  return { ...pino, stdTimeFunctions };
}

type Store = ReturnType<typeof toolkitModule.configureStore>;
type StoreOptions = Parameters<typeof toolkitModule.configureStore>[0];

/** Sees what a store reduces. */
export interface StoreObserver {
  created(store: Store): void;
  reduced(action: toolkitModule.Action, state: unknown): void;
}

/** Creates `@reduxjs/toolkit`, whose `configureStore` shows the store to an observer. */
export function toolkitOf(observer: StoreObserver): object {
  const configureStore = (options: StoreOptions): Store => {
    const { reducer } = options;
    if (typeof reducer !== 'function') throw new Error('the store has several reducers');
    const observed: toolkitModule.Reducer = (state, action) => {
      const next: unknown = reducer(state, action);
      observer.reduced(action, next);
      return next;
    };
    const store = toolkit.configureStore({ ...options, reducer: observed });
    observer.created(store);
    return store;
  };
  return { ...toolkit, configureStore };
}

interface NodeModulesOptions {
  readonly party: Party;
  readonly disk: Disk;
  readonly stderr: (text: string) => void;
  readonly today: () => Date;
}

/** Creates the modules of Node and the packages that a program on a simulated machine gets instead of the real ones. */
export function nodeModules({ party, disk, stderr, today }: NodeModulesOptions) {
  const { fs, promises } = nodeFs({ party, disk, stderr });
  const execFile = (...args: unknown[]) => {
    const answer = args.at(-1);
    if (typeof answer === 'function')
      party.schedule(1, () => void Reflect.apply(answer, undefined, [new Error('ENOENT')]));
  };
  return {
    fs,
    modules: {
      'node:fs': fs,
      'node:fs/promises': promises,
      'node:crypto': cryptoOf(party),
      'node:os': {
        tmpdir: () => '/tmp',
        homedir: () => '/home/ada',
        release: () => '6',
        platform: () => 'linux',
        arch: () => 'x64',
      },
      'node:child_process': { execFile },
      'node:timers/promises': {
        setImmediate: () => new Promise<void>((resolve) => void party.schedule(0, resolve)),
        setTimeout: (ms: number) => new Promise<void>((resolve) => void party.schedule(ms, resolve)),
      },
      pino: pinoOf(today),
    },
  };
}
