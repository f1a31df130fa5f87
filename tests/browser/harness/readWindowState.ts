import type { Page } from 'playwright-core';
import type { WindowStore } from '#renderer/store/createWindowStore.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';

type StoreState = ReturnType<WindowStore['getState']>;

/** Reads the state that a window owns. */
export const readWindowState = async (page: Page): Promise<WindowState> => (await readStoreState(page)).own;

/** Reads the whole state of a window from its store, which its root component has. */
export const readStoreState = (page: Page): Promise<StoreState> =>
  page.evaluate(() => {
    // The page has no outer scope.
    // oxlint-disable-next-line unicorn/consistent-function-scoping
    const field = (value: unknown, name: string): unknown =>
      typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
    const root = document.getElementById('root');
    const key = Object.keys(root ?? {}).find((name) => name.startsWith('__reactContainer$')) ?? '';
    // The container's own fiber may be the one that is not shown: its root knows the current one.
    let fiber = field(field(field(root, key), 'stateNode'), 'current');
    while (fiber !== undefined && field(field(fiber, 'memoizedProps'), 'store') === undefined)
      fiber = field(fiber, 'child');
    const store = field(field(fiber, 'memoizedProps'), 'store');
    const getState = field(store, 'getState');
    if (typeof getState !== 'function') throw new Error('the window’s store cannot be read');
    return getState();
  });
