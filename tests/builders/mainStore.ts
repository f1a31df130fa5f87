import { join } from 'node:path';
import type { CaptureSink } from '#main/store/mainStore.ts';
import type { Encryption } from '#main/base/storedSecret.ts';
import { type VirtualClock, virtualClock } from '#shared/clock.ts';
import * as electron from './electron.ts';
import { mainFolder } from './mainFolder.ts';
import { type MainLog, mainLog } from './mainLog.ts';
import { expect, vi } from 'vitest';

/** Creates the encryption of a host, whose key another host does not have. */
export function mainEncryption(key: number): Encryption {
  const applyKey = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ key));
  return {
    isAsyncEncryptionAvailable: async () => true,
    encryptStringAsync: async (plain) => applyKey(Buffer.from(`parley:${plain}`)),
    async decryptStringAsync(encrypted) {
      const plain = applyKey(encrypted).toString();
      if (!plain.startsWith('parley:')) throw new Error('encrypted with another key');
      return { result: plain.slice('parley:'.length), shouldReEncrypt: false };
    },
  };
}

const refuse = async () => {
  throw new Error('there is no keyring');
};

/** A host without a keyring. */
export const noEncryption: Encryption = {
  isAsyncEncryptionAvailable: async () => false,
  encryptStringAsync: refuse,
  decryptStringAsync: refuse,
};

let loadedFor: string | undefined;

/** Resets the fake `electron`, which gets other `parts`, and, unless `keepsModules`, the module cache. Call it before the test imports with `await import(…)`. */
export function mockElectron({ keepsModules = false, parts = {} } = {}): void {
  const { testPath } = expect.getState();
  if (!keepsModules || testPath !== loadedFor) vi.resetModules();
  loadedFor = testPath;
  electron.resetElectron();
  vi.doMock('electron', () => ({ ...electron, ...parts }));
}

export interface MainStoreOptions {
  /** The account file; by default one that does not exist. */
  readonly path?: string;
  readonly platformName?: string;
  readonly encryption?: Encryption;
  readonly clock?: VirtualClock;
  readonly kept?: MainLog;
  /** Whether the modules of an earlier store of the test file stay: they number the windows on, and have its mocks. */
  readonly keepsModules?: boolean;
  /** Records the sessions; by default they are not recorded. */
  readonly capture?: CaptureSink;
}

const noCapture: CaptureSink = { action() {}, launched() {}, record() {}, pauseWhileFull() {}, ended() {} };

/** Creates main's store as the program's start does, with a real file, the real electron-redux and the fake `electron`. */
export async function mainStore({
  path = join(mainFolder(), 'account.json'),
  platformName = 'the platform',
  encryption = mainEncryption(1),
  clock = virtualClock(),
  kept = mainLog(),
  capture = noCapture,
  keepsModules = false,
}: MainStoreOptions = {}) {
  mockElectron({ keepsModules });
  const { accountFile } = await import('#main/store/accountFile.ts');
  const { createListeners, createMainStore, persistAccount } = await import('#main/store/mainStore.ts');
  const errorNotes: string[] = [];
  const listeners = createListeners(kept.log, (text) => errorNotes.push(text));
  // electron-redux warns about a second store; it has no other state, and `electron` is a new one.
  const warnings = keepsModules ? vi.spyOn(console, 'error').mockReturnValue() : undefined;
  const store = createMainStore({
    clock,
    platform: platformName,
    listeners,
    capture,
    log: kept.log,
    accountFile: accountFile({ path, encryption, log: kept.log }),
  });
  warnings?.mockRestore();
  const persistor = await persistAccount(store);
  return { store, persistor, listeners, errorNotes, clock, kept, capture, path, platformName };
}
