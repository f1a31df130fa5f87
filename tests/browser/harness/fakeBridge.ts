import type { RECEIVED, TOOLS_RECEIVED } from '#shared/ipc/channels.ts';

type Listener = (...args: unknown[]) => void;

declare global {
  interface Window {
    /** Lets the test send messages as main. */
    fakeMain: {
      emit(channel: (typeof RECEIVED | typeof TOOLS_RECEIVED)[number], ...args: unknown[]): void;
      forward(action: unknown): void;
    };
    /** The actions of its state that the window has sent, each with its number. */
    reports: unknown[];
    fakeState(): Promise<string>;
    fakePart(start: number, before: number): Promise<string | null>;
    onFakeSend(channel: string, ...args: unknown[]): Promise<void>;
    fakeAuth(): Promise<string | undefined>;
  }
}

// The page receives only the source of this function, so nothing outside it exists there.
/* oxlint-disable unicorn/consistent-function-scoping */

/** Replaces the preload in the page, before the page's own scripts. It must be self-contained: only its source is sent. */
export function fakeBridge(): void {
  const listeners = new Map<string, Set<Listener>>();
  const on = (channel: string, listener: Listener) => {
    listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
    return () => listeners.get(channel)?.delete(listener);
  };
  const emit = (channel: string, ...args: unknown[]) =>
    listeners.get(channel)?.forEach((listener) => listener(...args));
  const base64 = (buffer: ArrayBuffer) => {
    const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
    return btoa(binary);
  };
  const send = (channel: string, ...args: unknown[]) => void window.onFakeSend(channel, ...args);
  const invoke = async (channel: string, argument: unknown) => {
    if (argument instanceof ArrayBuffer) return base64(argument);
    await window.onFakeSend(channel, argument);
    return window.fakeAuth();
  };
  Object.assign(window, {
    reports: [],
    parley: { send, invoke, on },
    parleyTools: {
      on,
      // The tests are about what a person sees, so the actions of the window's state are only kept.
      send: (channel: string, action: unknown, number?: number) =>
        number === undefined ? send(channel, action) : void window.reports.push([number, action]),
    },
    parleySync: {
      fetchState: () => window.fakeState(),
      fetchPart: (start: number, before: number) => window.fakePart(start, before),
      onAction: (listener: Listener) => on('action', listener),
    },
    fakeMain: { emit, forward: (action: unknown) => emit('action', action) },
  });
}
