import type { FastifyInstance } from 'fastify';

interface Options {
  /** The address of `/auth`, without a slash at the end. */
  readonly apiUrl: string;
  readonly print: (line: string) => void;
}

/** Forwards `POST /auth` (spec §4.1) and its response unchanged. Neither is recorded or logged. */
export async function forwardAuth(app: FastifyInstance, { apiUrl, print }: Options): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post<{ Body: Buffer | undefined }>('/auth', async ({ headers, body }, reply) => {
    const answer = await ask(`${apiUrl}/auth`, headers['content-type'], body);
    if (answer === undefined) {
      print('the platform’s API cannot be reached; the sign-in gets no response');
      // As without the proxy: no response.
      reply.hijack().raw.destroy();
      return reply;
    }
    const type = answer.headers.get('content-type');
    if (type !== null) reply.header('content-type', type);
    return reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()));
  });
}

/** Returns the response, or `undefined` without one. Does not follow redirects with the credentials. */
async function ask(url: string, type = 'application/json', body?: Buffer): Promise<Response | undefined> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': type },
      body: body === undefined ? null : new Uint8Array(body),
      redirect: 'manual',
    });
  } catch {
    return undefined;
  }
}
