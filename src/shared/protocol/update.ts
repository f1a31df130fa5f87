/**
 * The server's updates (spec §6.1) and what they carry (§2.4–2.6), as they came: a field that was missing
 * stays missing and is read as empty, a field that the specification does not name is kept.
 */

/** Spec §2.4. `category` is `text`, `audio`, `html` or `image`; any other is a downloadable file. */
export interface ContentItem {
  readonly category?: string;
  readonly text?: string | null;
  readonly html?: string | null;
  /** Base64. */
  readonly blob?: string | null;
}

/** Spec §2.5. `modifier` is `ai`, `client` or `admin`. */
export interface Message {
  readonly id?: string;
  readonly modifier?: string;
  readonly content?: readonly ContentItem[];
  readonly context?: string;
  /** Base64 PNG, or empty. */
  readonly avatar?: string;
  readonly seen?: boolean;
}

/** Spec §2.6. */
export interface Snapshot {
  readonly person: string;
  readonly messages?: readonly Message[];
}

/** One update: its kind, and the frame's object whole. The kinds stand in the order of the specification's table. */
export type Update =
  | { readonly kind: 'snapshot'; readonly frame: Snapshot }
  | { readonly kind: 'name'; readonly frame: { readonly name: string } }
  | { readonly kind: 'message'; readonly frame: Message }
  | { readonly kind: 'content'; readonly frame: ContentItem }
  | { readonly kind: 'context'; readonly frame: { readonly context: string } }
  | { readonly kind: 'text'; readonly frame: { readonly text: string | null } }
  | { readonly kind: 'notification'; readonly frame: object };

export type UpdateKind = Update['kind'];

/** The field whose presence decides each kind, in the order of spec §6.1. A frame with none of them is a notification. */
const FIELDS = {
  snapshot: 'person',
  name: 'name',
  message: 'modifier',
  content: 'category',
  context: 'context',
  text: 'text',
} as const satisfies Readonly<Record<Exclude<UpdateKind, 'notification'>, string>>;

/** The kinds that a field decides, each with its field, in order. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries of the constant above
export const DISCRIMINATORS = Object.entries(FIELDS) as readonly (readonly [UpdateKind, string])[];

/** All kinds, in the order of spec §6.1. */
export const UPDATE_KINDS: readonly UpdateKind[] = [...DISCRIMINATORS.map(([kind]) => kind), 'notification'];
