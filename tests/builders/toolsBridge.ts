import type { ParleyToolsBridge, ToolsReceived } from '#shared/ipc/channels.ts';

type Listener = (...args: readonly unknown[]) => void;

/** Creates a window's `parleyTools`: keeps what the window sends, and sends messages as main does. */
export function toolsBridge() {
  const listeners = new Map<string, Listener>();
  const sent: unknown[][] = [];
  const tools: ParleyToolsBridge = {
    send: (...message) => void sent.push([...message]),
    on(channel, listener) {
      // The tests send only what the channel carries.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      listeners.set(channel, listener as Listener);
      return () => listeners.delete(channel);
    },
  };
  return {
    tools,
    sent,
    emit: <C extends keyof ToolsReceived>(channel: C, ...args: ToolsReceived[C]) =>
      listeners.get(channel)?.(...args),
  };
}
