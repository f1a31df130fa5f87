import { type JsonObject, isJsonObject, tryParseJson } from '#shared/json.ts';
import {
  type Aliasing,
  isCode,
  redactBinary,
  redactFields,
  redactFrame,
  redactKey,
  redactType,
} from './redaction.ts';

/** Redacts the fields of an `http` record that have rules of their own: bodies, pieces of them, addresses, and the header `content-type`. */
export function redactExchange(record: JsonObject, aliasing: Aliasing): object {
  const { request, response, error } = record;
  return {
    ...(isJsonObject(request) && { request: redactMessage(request, aliasing) }),
    ...(isJsonObject(response) && { response: redactMessage(response, aliasing) }),
    ...(typeof error === 'string' && { error: redactType(error, aliasing.aliases) }),
    ...redactBodies(record, aliasing),
  };
}

function redactMessage(message: JsonObject, aliasing: Aliasing): object {
  const { method, url, headers } = message;
  const known = {
    ...(typeof method === 'string' && { method: METHOD.test(method) ? method : 'GET' }),
    ...(typeof url === 'string' && { url: redactUrl(url, aliasing) }),
    ...(headers !== undefined && { headers: redactHeaders(headers) }),
    ...redactBodies(message, aliasing),
  };
  return redactFields(message, known, aliasing);
}

const METHOD = /^[A-Z]{1,16}$/;

/** Redacts the whole body or a piece of it. */
function redactBodies({ encoding, body, chunk }: JsonObject, aliasing: Aliasing): object {
  const isBinary = encoding === 'base64';
  const redacted = (text: string) =>
    isBinary ? redactBinary(text, aliasing.aliases) : redactBody(text, aliasing);
  return {
    ...(typeof body === 'string' && { body: redacted(body) }),
    ...(typeof chunk === 'string' && { chunk: redacted(chunk) }),
    ...(isBinary && { encoding }),
  };
}

/** The media type, with the character set only. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?/i;

/** Returns the media type of the headers, and nothing else. */
export function redactHeaders(headers: unknown): Readonly<Record<string, string>> {
  const type = isJsonObject(headers) ? headers['content-type'] : undefined;
  const media = typeof type === 'string' ? MEDIA_TYPE.exec(type)?.[0] : undefined;
  return media === undefined ? {} : { 'content-type': media };
}

/** Redacts a text that HTTP carries: JSON, lines of JSON, or server-sent events keep their form. Any other text becomes an alias. */
export function redactBody(text: string, aliasing: Aliasing): string {
  if (isJson(text)) return redactFrame(text, aliasing);
  if (EVENT_FIELD.test(text)) return redactEvents(text, aliasing);
  const lines = text.split('\n');
  return lines.length > 1 && lines.every((line) => line.trim() === '' || isJson(line))
    ? lines.map((line) => line.trim() && redactFrame(line, aliasing)).join('\n')
    : aliasing.aliases.of('text', text);
}

const isJson = (text: string): boolean => tryParseJson(text) !== undefined;

/** The first line of server-sent events. */
const EVENT_FIELD = /^(?:(?:data|event|id|retry) ?)?:/;

/** Redacts server-sent events. The data of one event may have several lines; redacted, it has one. */
const redactEvents = (text: string, aliasing: Aliasing): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .split('\n\n')
    .map((event) => redactEvent(event.split('\n'), aliasing))
    .join('\n\n');

function redactEvent(lines: readonly string[], aliasing: Aliasing): string {
  const data: string[] = [];
  const redacted: string[] = [];
  for (const line of lines) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') redacted.push(`event: ${redactType(value, aliasing.aliases)}`);
    else if (field === 'id') redacted.push(`id: ${aliasing.aliases.of('id', value)}`);
    else if (field === 'retry' && NUMBER.test(value)) redacted.push(line);
    else redacted.push(line === '' ? '' : ':');
  }
  if (data.length > 0) {
    const isAtEnd = redacted.at(-1) === '';
    redacted.splice(isAtEnd ? -1 : redacted.length, 0, `data: ${redactFrame(data.join('\n'), aliasing)}`);
  }
  return redacted.join('\n');
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** A part of a path as programs write it: a word, with a version or an extension. */
const WORD = /^(?:\.{0,2}|(?=.{1,40}$)[A-Za-z][A-Za-z_-]*\d{0,2}(?:\.[a-z]{2,5})?)$/;

/**
 * Redacts an address, without its fragment: the parts of its path that are not words, and the values of its query. Words and numbers stay, except those
 * that have an alias because a frame contains them as a text.
 */
export function redactUrl(url: string, aliasing: Aliasing): string {
  const { aliases, codes } = aliasing;
  const [, origin = '', path = '', query] =
    /^([a-z][a-z+.-]*:\/\/[^/?#]*|\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const number = (text: string) => (NUMBER.test(text) ? (aliases.find(text) ?? text) : undefined);
  const segment = (text: string) =>
    aliases.find(text) ?? (WORD.test(text) || NUMBER.test(text) ? text : aliases.of('id', text));
  const parameter = (pair: string): string => {
    const [key = '', ...rest] = pair.split('=');
    const value = decoded(rest.join('=').replaceAll('+', ' '));
    const isClear = value === 'true' || value === 'false' || (codes?.has(key) && isCode(value));
    const name = redactKey(decoded(key), aliases);
    return rest.length === 0
      ? name
      : `${name}=${isClear ? value : (number(value) ?? aliases.of('text', value))}`;
  };
  const segments = path.split('/').map((part) => segment(decoded(part)));
  const parameters = query === undefined ? '' : `?${query.split('&').map(parameter).join('&')}`;
  return origin.replace(/\/\/.*@/, '//') + segments.join('/') + parameters;
}

/** Decodes a part of an address; returns it as it is when it is not encoded correctly. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
