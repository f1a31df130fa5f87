/**
 * The types of the platform's updates (spec §6.1) and of their contents (§2.4–2.6), as decoded: a missing field stays missing and counts
 * as empty, and unknown fields are kept.
 */

/** A content item (spec §2.4). `category` is `text`, `audio`, `html` or `image`; any other is a downloadable file. */
export interface ContentItem {
  readonly category?: string;
  readonly text?: string | null;
  readonly html?: string | null;
  /** Base64. */
  readonly blob?: string | null;
}

/** A message (spec §2.5). `modifier` is `ai`, `client` or `admin`. */
export interface Message {
  readonly id?: string;
  readonly modifier?: string;
  readonly content?: readonly ContentItem[];
  readonly context?: string;
  /** Base64 PNG, or empty. */
  readonly avatar?: string;
  readonly seen?: boolean;
}

/** A snapshot of the conversation (spec §2.6). */
export interface Snapshot {
  readonly person: string;
  readonly messages?: readonly Message[];
}

/** An update: its kind and the complete frame. The kinds are in the order of spec §6.1. */
export type Update =
  | { readonly kind: 'snapshot'; readonly frame: Snapshot }
  | { readonly kind: 'name'; readonly frame: { readonly name: string } }
  | { readonly kind: 'message'; readonly frame: Message }
  | { readonly kind: 'content'; readonly frame: ContentItem }
  | { readonly kind: 'context'; readonly frame: { readonly context: string } }
  | { readonly kind: 'text'; readonly frame: { readonly text: string | null } }
  | { readonly kind: 'notification'; readonly frame: object };

/** The kind of an update. */
export type UpdateKind = Update['kind'];

/** The field whose presence determines each kind, in the order of spec §6.1. A frame without these fields is a notification. */
const FIELDS = {
  snapshot: 'person',
  name: 'name',
  message: 'modifier',
  content: 'category',
  context: 'context',
  text: 'text',
} as const satisfies Readonly<Record<Exclude<UpdateKind, 'notification'>, string>>;

/** The kinds that are determined by a field, each with its field, in the order of spec §6.1. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries of the constant above
export const DISCRIMINATORS = Object.entries(FIELDS) as readonly (readonly [UpdateKind, string])[];
