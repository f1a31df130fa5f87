import type { FastifyInstance } from 'fastify';

interface Options {
  /** Where `/auth` is, without a slash at the end. */
  readonly apiUrl: string;
  readonly say: (line: string) => void;
}

/** `POST /auth` (spec §4.1), passed on as it came and answered as it was answered. Neither is kept or told. */
export async function passOnAuth(app: FastifyInstance, { apiUrl, say }: Options): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post<{ Body: Buffer | undefined }>('/auth', async ({ headers, body }, reply) => {
    const answer = await ask(`${apiUrl}/auth`, headers['content-type'], body);
    if (answer === undefined) {
      say('the platform’s API cannot be reached; the sign-in gets no answer');
      // As it would be without us: no answer.
      reply.hijack().raw.destroy();
      return reply;
    }
    const type = answer.headers.get('content-type');
    if (type !== null) reply.header('content-type', type);
    return reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()));
  });
}

/** The answer, or `undefined` when nobody answers. The credentials go to the address that was given and to no other. */
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
