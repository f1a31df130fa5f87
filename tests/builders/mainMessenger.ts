import type { Messenger } from '#main/messenger.ts';
import type { MainStore } from '#main/store.ts';
import { onTestFinished } from 'vitest';
import { type MainStoreOptions, mainStore } from './mainStore.ts';
import type { ScriptedPlatform } from './platform.ts';

interface Options extends MainStoreOptions {
  /** Hears what the windows are told, at the moment when they are. */
  readonly onTold?: (account: string | false) => void;
}

/** A messenger at a platform, as a program's start has it; quits with the test. */
export async function messengerAt({ apiUrl, platformUrl }: ScriptedPlatform, options: Options = {}) {
  const main = await mainStore(options);
  const { createMessenger } = await import('#main/messenger.ts');
  const told: { readonly account: string | false; readonly reason: string | undefined }[] = [];
  const messenger: Messenger = createMessenger({
    platform: { name: main.platformName, apiUrl, platformUrl },
    store: main.store,
    keeper: main.keeper,
    clock: main.clock,
    log: main.kept.log,
    tellAccount(account, reason) {
      told.push({ account, reason });
      options.onTold?.(account);
    },
  });
  onTestFinished(() => messenger.quit());
  return { ...main, messenger, told };
}

/** Resolves as soon as the condition holds, looking again after each action. */
export function until(store: MainStore, condition: (state: ReturnType<MainStore['getState']>) => boolean) {
  return new Promise<void>((resolve) => {
    const look = () => {
      if (!condition(store.getState())) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(look);
    look();
  });
}
