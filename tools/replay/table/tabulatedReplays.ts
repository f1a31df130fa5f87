import { appView, requirePlainData } from '../adapter/appResult.ts';
import { stateDiff } from '../diff/stateDiff.ts';
import { valueDiff } from '../diff/valueDiff.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { createAppEngine } from '../engine/createAppEngine.ts';
import { createFold } from '../engine/createFold.ts';
import { observeUpdates } from '../engine/observeUpdates.ts';
import { type StartReplay, pathsOf, sumOf } from './collectSession.ts';

/** Starts the replay of a session of Parley, with the fold. */
export const replayParley: StartReplay = (onUpdate) => {
  /** The sizes of the updates' frames: updates are released in the order of their arrival. */
  const sizes: number[] = [];
  const fold = createFold({
    code: observeUpdates((_, text) => sizes.push(Buffer.byteLength(text))),
    onStep({ number, tick, receivedAt, update, effect, before, after }) {
      onUpdate({
        number,
        tick,
        receivedAt,
        kind: update.kind,
        effect,
        bytes: sizes[number - 1],
        paths: before === after ? [] : pathsOf(stateDiff(before, after)),
        messages: after.messages.length,
        connection: fold.state.connection.status,
      });
    },
  });
  return {
    take: fold.take,
    finish: () => void fold.finish(),
    totals() {
      const { counts, queue, conversation } = fold.state;
      const { received, sent, dropped, rejected, applied, ignored } = counts;
      const messages = conversation.messages.length;
      const waiting = queue.length;
      return { received, sent, dropped, rejected: sumOf(rejected), applied, ignored, waiting, messages };
    },
  };
};

/** Returns a function that starts the replay of a session of another app. It has neither messages nor dropped ones. */
export const replayWith =
  (adapter: AppAdapter): StartReplay =>
  (onUpdate) => {
    const engine = createAppEngine(adapter, {
      onStep: ({ number, tick, receivedAt, kind, effect, bytes, before, after }) =>
        onUpdate({
          number,
          tick,
          receivedAt,
          kind,
          effect,
          bytes,
          paths: pathsOf(valueDiff(before, after)),
          messages: undefined,
          connection: engine.replay().connection.status,
        }),
    });
    return {
      take: engine.take,
      finish: () => requirePlainData(appView(adapter, engine.finish().state)),
      totals() {
        const { counts, queue } = engine.replay();
        const { received, sent, rejected, applied, ignored } = counts;
        const absent = { dropped: undefined, messages: undefined };
        return {
          received,
          sent,
          rejected: sumOf(rejected),
          applied,
          ignored,
          waiting: queue.length,
          ...absent,
        };
      },
    };
  };
