import { type CaptureHeader, type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import type { RedactionRules } from '../engine/appAdapter.ts';
import type { CaptureReader } from '../read/captureDecoder.ts';
import { redactExchange } from './redactHttp.ts';
import {
  type Aliases,
  createAliases,
  redactBinary,
  redactFields,
  redactFrame,
  redactReason,
  redactType,
} from './redaction.ts';

/** The advice after every redaction. */
export const REVIEW_OUTPUT =
  'Numbers, times, categories and field names are unchanged: review the output before you share it.\n';

interface Redaction {
  readonly aliases?: Aliases;
  readonly keepsTime?: boolean | undefined;
  /** The rules of the app's adapter. */
  readonly rules: RedactionRules | undefined;
  readonly onRecords?: (count: number) => void;
}

/** Formats the redacted capture as a file, one piece for each part that is read. */
export async function* redactedText(
  { header, records }: CaptureReader,
  { aliases = createAliases(), keepsTime = false, rules, onRecords }: Redaction,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(redactHeader(header, aliases, keepsTime))}\n`;
  for await (const batch of records()) {
    onRecords?.(batch.length);
    yield batch.map((record) => `${JSON.stringify(redactRecord(record, aliases, rules))}\n`).join('');
  }
}

/** The start time of every redacted capture. */
export const NO_TIME = new Date(0).toISOString();

/** Redacts the header; keeps its time only on request. */
export function redactHeader(header: CaptureHeader, aliases: Aliases, keepsTime: boolean): CaptureHeader {
  const { format, version } = header;
  // A text that is a time may contain words, too.
  const startedAt = keepsTime ? new Date(header.startedAt).toISOString() : NO_TIME;
  return redactFields(
    { ...header },
    { format, version, startedAt, app: redactApp(header.app, aliases) },
    { aliases },
  );
}

/** The programs that record sessions, and those whose HARs are imported. */
const RECORDERS = /^(?:(?:parley-replay|WebInspector|Playwright|mitmproxy|HTTP Toolkit|Firefox) )?/;
/** A version without words that a person chose. */
const VERSION = /^\d{1,5}(?:\.\d{1,5}){0,3}(?:-(?:alpha|beta|rc|dev|next)[-.\d]{0,24})?$/;

/** Returns the name and the version of a known program; an alias of any other text. */
const redactApp = (app: string, aliases: Aliases): string =>
  VERSION.test(app.replace(RECORDERS, '')) ? app : aliases.of('app', app);

/**
 * Replaces the personal data of a record with aliases. Its time, its kind, the order of its fields, and the reason for which
 * it is rejected stay the same.
 */
export function redactRecord(
  record: CaptureRecord,
  aliases: Aliases,
  rules: RedactionRules = NO_RULES,
): CaptureRecord {
  const content = redactContent(record, aliases, rules);
  const type = redactType(record.type, aliases);
  return redactFields({ ...record }, { t: record.t, type, ...content }, { aliases });
}

const NO_RULES: RedactionRules = { codes: [] };

/** Redacts the fields of a record that have rules of their own. */
function redactContent(record: CaptureRecord, aliases: Aliases, rules: RedactionRules): object {
  const codes = new Set(rules.codes);
  if (record.type === 'http') return redactExchange({ ...record }, { aliases, codes });
  if (!isKnown(record)) return {};
  if (record.type === 'recv' || record.type === 'send') {
    const { data, encoding } = record;
    return encoding === 'base64'
      ? { data: redactBinary(data, aliases), encoding }
      : { data: redactFrame(data, { aliases, codes, normalize: rules.normalize }) };
  }
  if (record.type === 'close') return { reason: redactReason(record.reason, { aliases, codes }) };
  if (record.type !== 'action') return {};
  const { action } = record;
  for (const code of rules.codesOf?.(action.type) ?? []) codes.add(code);
  return { action: redactFields(action, { type: redactType(action.type, aliases) }, { aliases, codes }) };
}
