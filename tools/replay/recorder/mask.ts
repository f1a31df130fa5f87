import {
  type Aliasing,
  type EventFrame,
  createAliases,
  redactBinary,
  redactEventFrame,
  redactFields,
  redactFrame,
  redactJson,
  redactReason,
  redactType,
} from '../convert/redaction.ts';
import { redactBody, redactUrl } from '../convert/redactHttp.ts';

/** An action of the app. */
export interface RecordedAction {
  readonly type: string;
  readonly payload?: unknown;
}

const latin1 = new TextDecoder('latin1');

/** Replaces the texts of people before they are recorded. */
export type Mask = ReturnType<typeof createMask>;

/**
 * Creates the mask of a recording, by the rules of `redact`. It keeps a number for each text instead of the text itself.
 * @param clear the names of fields whose texts stay when they are codes.
 */
export function createMask(clear: readonly string[]) {
  const aliases = createAliases(hashOf);
  const aliasing: Aliasing = { aliases, codes: new Set(clear) };
  return {
    frame: (data: string) => redactFrame(data, aliasing),
    /** Returns the bytes of an alias, in base64. */
    binary: (bytes: Uint8Array) => redactBinary(latin1.decode(bytes), aliases),
    event: (event: EventFrame) => redactEventFrame(event, aliasing),
    url: (url: string) => redactUrl(url, aliasing),
    body: (text: string) => redactBody(text, aliasing),
    json: (value: unknown) => JSON.stringify(redactJson(value, aliasing)),
    reason: (reason: string) => redactReason(reason, aliasing),
    action: (action: RecordedAction) =>
      redactFields({ ...action }, { type: redactType(action.type, aliases) }, aliasing),
    forgetOld: aliases.forgetOld,
  };
}

/** Returns a hash of 64 bits (cyrb64). */
function hashOf(text: string): string {
  let low = 0xde_ad_be_ef;
  let high = 0x41_c6_ce_57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 2_654_435_761);
    high = Math.imul(high ^ code, 1_597_334_677);
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  return `${low},${high}`;
}
