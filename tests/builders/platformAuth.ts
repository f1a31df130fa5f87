import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Inbox, platformInbox } from './platformInbox.ts';

/** A request as received. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * The response to `POST /auth`: an answer; `never` an answer; the headers and the beginning of a body, and then nothing
 * (`stalled`); or a connection that breaks (`destroyed`).
 */
export type AuthAnswer =
  | { readonly status?: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  | 'never'
  | 'stalled'
  | 'destroyed';

/** The platform's HTTP side. */
export interface PlatformAuth {
  /** Every request to `/auth`, when its body is complete. */
  readonly requests: Inbox<SeenRequest>;
  /** Sets the response to every request from now on. A promise delays them until it resolves. */
  answer(answer: AuthAnswer | Promise<AuthAnswer>): void;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Answers 200 and `account-1` until `answer` is called; any other path than `/auth` gets 404 and is not recorded. */
export function platformAuth(): PlatformAuth {
  const requests = platformInbox<SeenRequest>();
  let current: AuthAnswer | Promise<AuthAnswer> = { body: 'account-1' };
  return {
    requests,
    answer(next) {
      current = next;
    },
    async handle(request, response) {
      const { method = '', url: path = '', headers } = request;
      if (path !== '/auth') {
        response.writeHead(404).end();
        return;
      }
      const answer = current;
      requests.push({ method, path, headers, body: await text(request) });
      give(await answer, response);
    },
  };
}

function give(answer: AuthAnswer, response: ServerResponse): void {
  if (answer === 'never') return;
  if (answer === 'destroyed') response.destroy();
  else if (answer === 'stalled') response.writeHead(200, { 'content-length': 100 }).write('account');
  else response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '');
}
