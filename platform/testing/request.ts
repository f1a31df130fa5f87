import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';

/** The answer to a request. */
interface Answer {
  readonly status: number;
  readonly type: IncomingHttpHeaders['content-type'];
  readonly body: string;
}

interface RequestOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** Sends a request with any headers, also `Host` and `Origin`, which `fetch` does not allow. */
export function request(
  url: string,
  { method = 'GET', headers = {}, body = '' }: RequestOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(url, { method, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers: got } = response;
      text(response).then((words) => resolve({ status, type: got['content-type'], body: words }), reject);
    });
    asked.on('error', reject).end(body);
  });
}

/** Sends `POST /auth` with these fields as JSON, and these header fields. */
export const postAuth = (
  apiUrl: string,
  fields: unknown,
  headers: OutgoingHttpHeaders = {},
): Promise<Answer> =>
  request(`${apiUrl}/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(fields),
  });
