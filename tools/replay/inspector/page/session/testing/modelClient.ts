import type { Store } from '../inspectorStore.ts';
import { parleyApp } from '../../../model/apps/parley.ts';
import type { InspectorClient } from '../../../protocol/workerClient.ts';
import type { Reply, Request } from '../../../protocol/protocol.ts';
import { readSource } from '../../../readSource.ts';
import { type Environment, serveModel } from '../../../serveModel.ts';

/** The surroundings of a model of Parley in this thread, whose tasks never pause. */
export const ENVIRONMENT: Omit<Environment, 'send'> = {
  app: () => parleyApp,
  now: () => 0,
  yieldToMessages: () => Promise.resolve(),
  read: (source, { loader }) => readSource(source, { loader, onRead: () => {} }),
};

/** Creates a client of a model in this thread, in place of one in a worker; `others` replace parts of {@link ENVIRONMENT}. */
export function modelClient(others: Partial<Environment> = {}): InspectorClient {
  const pending = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  const send = (sent: Reply) => {
    // As a message to the page.
    const reply = structuredClone(sent);
    if (!('id' in reply)) return;
    const waiting = pending.get(reply.id);
    // The model answers each name with its type of result.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    if ('result' in reply) waiting?.resolve(reply.result as never);
    else waiting?.reject(new Error('superseded' in reply ? 'superseded' : reply.error));
  };
  const answer = serveModel({ ...ENVIRONMENT, send, ...others });
  let last = 0;
  return {
    request: (name, params) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        pending.set(id, { resolve, reject });
        // The name and its params belong together; the type of a variable cannot express that.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        answer({ id, name, params } as Request);
      }),
    onProgress: () => () => {},
  };
}

/** Resolves when a store has a state for which `is` holds. */
export const until = <S extends object>(
  { get, subscribe }: Store<S>,
  is: (state: S) => boolean,
): Promise<void> =>
  new Promise((resolve) => {
    if (is(get())) resolve();
    const stop = subscribe(() => {
      if (!is(get())) return;
      stop();
      resolve();
    });
  });
