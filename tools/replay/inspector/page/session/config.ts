// The small form: the page's start pays for all that is loaded.
import * as z from 'zod/mini';

// The page's policy forbids `eval`; zod would try it, and the browser would say so.
z.config({ jitless: true });

const text = z.string().check(z.minLength(1));

/** Where the worker's script is: a file beside the page, or an element of the page that holds its text. */
const workerSchema = z.union([z.strictObject({ url: text }), z.strictObject({ elementId: text })]);

const sourceSchema = z.union([
  /** A capture that is fetched; relative to the page. */
  z.strictObject({ url: text, name: text }),
  /** An element whose text is the capture's bytes as base64, gzipped or not. */
  z.strictObject({ elementId: text, name: text }),
  /** A session that is still on: `window.parleyInspect.onLines` tells its lines. */
  z.strictObject({ live: z.literal(true) }),
]);

const configSchema = z.strictObject({
  worker: workerSchema,
  /** What is shown at first; `null`: a place to drop a capture. */
  source: z.nullable(sourceSchema),
  /** Whether the host answers `POST make-test`. */
  makeTest: z.boolean(),
  /** Where it opens; left out, before the first step. The address's `#step=` comes first. */
  step: z.optional(z.int().check(z.minimum(0))),
});

/** What the host of the page (a server, a single file, the app) tells it. */
export type InspectorConfig = z.infer<typeof configSchema>;

/** The element that holds the configuration, as JSON. */
export const CONFIG_ELEMENT = 'inspector-config';

/** @throws {Error} when the element is missing or does not hold a configuration. */
export function readConfig(page: Document): InspectorConfig {
  return configSchema.parse(JSON.parse(textOf(page, CONFIG_ELEMENT)));
}

/** @throws {Error} when there is no such element. */
export function textOf(page: Document, id: string): string {
  const element = page.getElementById(id);
  if (element === null) throw new Error(`The page has no element with the id "${id}".`);
  return element.textContent;
}

/** How a page that follows a session is told its lines: whole ones, each with its newline; the header is the first. */
export interface LiveLines {
  /** Tells what there is, and from then on what comes; gives what ends it. */
  onLines(listener: (text: string) => void): () => void;
  /** Tells that the session has ended, in a sentence. */
  onEnded(listener: (words: string) => void): () => void;
}

declare global {
  interface Window {
    /** Of the app's host, when the source is `live`. */
    readonly parleyInspect?: LiveLines;
  }
}
