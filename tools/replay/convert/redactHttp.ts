import type { HttpRecord } from '#shared/capture/captureFormat.ts';

/** Replaces texts with aliases. */
export interface TextAliases {
  /** Returns the alias of a text. */
  of(kind: string, original: string): string;
  /** Returns the alias that a text already has. */
  known(original: string): string | undefined;
  /** Returns a body or a line with aliases: JSON keeps its form, any other text has one alias. */
  ofBody(text: string): string;
  ofName(name: string): string;
}

/** Replaces the personal data of a part of an HTTP request, so that the requests of the replay still find their answers. */
export function redactHttp(record: HttpRecord, aliases: TextAliases): Partial<HttpRecord> {
  const { id, request, response, chunk, end, error } = record;
  return {
    id,
    ...(request && {
      request: {
        method: METHOD.test(request.method) ? request.method : aliases.of('text', request.method),
        url: redactUrl(request.url, aliases),
        ...(request.body !== undefined && { body: aliases.ofBody(request.body) }),
      },
    }),
    ...(response && { response: redactResponse(response, aliases) }),
    ...(chunk !== undefined && { chunk: redactChunk(chunk, aliases) }),
    ...(end && { end }),
    ...(error !== undefined && { error: ERROR.test(error) ? error : aliases.of('type', error) }),
  };
}

const METHOD = /^[A-Z]{1,16}$/;
const ERROR = /^[A-Z][A-Za-z]{0,31}$/;

type Response = NonNullable<HttpRecord['response']>;

function redactResponse({ status, headers, body, encoding }: Response, aliases: TextAliases): Response {
  const text =
    body !== undefined && encoding !== undefined
      ? Buffer.from(aliases.of('binary', body)).toString('base64')
      : body && aliases.ofBody(body);
  return {
    status,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          HEADER.test(name) ? name : aliases.of('key', name),
          CONTENT_TYPE.test(value) || NUMBER.test(value) ? value : aliases.of('text', value),
        ]),
      ),
    }),
    ...(text !== undefined && { body: text }),
    ...(encoding && { encoding }),
  };
}

const HEADER = /^[a-z][a-z-]{0,63}$/i;
const CONTENT_TYPE =
  /^(?:application|audio|image|text|video)\/[a-z.+-]{1,64}(?:; ?charset=[a-z\d-]{1,16})?$/i;
const NUMBER = /^\d{1,16}$/;

/** Each line of a piece is a value, or a field of a server-sent event. */
const redactChunk = (chunk: string, aliases: TextAliases): string =>
  chunk.replace(/^((?:data|id|event|retry): ?)?(.+)$/gm, (_line, field: string = '', value: string) =>
    field.startsWith('event') && WORD.test(value) ? field + value : field + aliases.ofBody(value),
  );

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;
/** A part of a path, as programs write it. */
const WORD = /^[a-z][A-Za-z_-]{0,31}\d{0,2}$/;

/** Removes the origin and the fragment. Parts of the path that are words stay, unless their text has an alias already. */
function redactUrl(url: string, aliases: TextAliases): string {
  const [path = '', query] = url
    .replace(ORIGIN, '')
    .replace(/#.*$/s, '')
    .split(/\?(.*)/s);
  const parts = path.split('/').map((part) => {
    const text = decoded(part);
    if (text === '' || NUMBER.test(text)) return part;
    return aliases.known(text) ?? (WORD.test(text) ? part : aliases.of('text', text));
  });
  const fields = [...new URLSearchParams(query)].map(([name, value]) => [
    aliases.ofName(name),
    NUMBER.test(value) || value === 'true' || value === 'false' ? value : aliases.of('text', value),
  ]);
  return `${parts.join('/')}${query === undefined ? '' : `?${new URLSearchParams(fields)}`}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
