import type { BrowserWindow } from 'electron';
import { expect, test, vi } from 'vitest';
import { createStartFailureNotifier } from './startFailureNotifier.ts';

test('tells a page that connects again that a failure is over', () => {
  const notifier = createStartFailureNotifier();
  const send = vi.fn<(...message: unknown[]) => void>();
  const webContents = { isDestroyed: () => false, send };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const window = { webContents } as unknown as BrowserWindow;
  notifier.notify({ canSave: true });
  notifier.sendTo(window);
  notifier.notify(null);
  notifier.sendTo(window);
  expect(send.mock.calls).toEqual([
    ['startFailed', { canSave: true }],
    ['startFailed', null],
  ]);
});
