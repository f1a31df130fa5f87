import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { glob } from 'tinyglobby';

/** A place in the sources of a project. */
export interface Place {
  /** Relative to the project, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Where a project makes its store. */
export interface StorePlace extends Place {
  readonly library: 'redux' | 'zustand';
  /** The exported function that makes a new store; `undefined` when the module makes one when it is loaded, or exports none. */
  readonly factory: string | undefined;
}

/** Where a project opens its connection. */
export interface FeedPlace extends Place {
  readonly kind: 'WebSocket' | 'EventSource' | 'fetch stream';
}

const SOURCES = '**/*.{ts,tsx,mts,js,jsx,mjs}';
const OTHERS = [
  '**/{node_modules,dist,build,out,coverage}/**',
  '**/*.{test,spec,stories,config,d}.*',
  '**/{test,tests,__tests__,__mocks__,e2e,server}/**',
  'replay.adapter.*',
];

const STORES = {
  redux: /\b(?:configureStore|legacy_createStore)\s*(?:<[^>]*>)?\s*\(/,
  zustand: /\b(?:create|createStore)\s*(?:<[^>]*>)?\s*\(\s*\)?\s*\(?/,
} as const;
const IMPORTS = {
  redux: /from ['"](?:@reduxjs\/toolkit|redux)['"]/,
  zustand: /from ['"]zustand(?:\/\w+)?['"]/,
};

const FEEDS: readonly (readonly [FeedPlace['kind'], RegExp])[] = [
  ['WebSocket', /\bnew WebSocket\s*\(/],
  ['EventSource', /\bnew EventSource\s*\(/],
  ['fetch stream', /\.body\s*(?:!|\?)?\s*\.\s*getReader\s*\(/],
];

/** Finds where the sources of a project make the store, and where they open the connection that feeds it. */
export async function findParts(root: string) {
  const files = await glob(SOURCES, { cwd: root, ignore: OTHERS });
  const stores: StorePlace[] = [];
  const feeds: FeedPlace[] = [];
  for (const file of files.sort()) {
    const text = await readFile(join(root, file), 'utf8');
    const store = storeIn(file, text);
    if (store !== undefined) stores.push(store);
    for (const [kind, pattern] of FEEDS) {
      const place = placeOf(file, text, pattern);
      if (place !== undefined) feeds.push({ ...place, kind });
    }
  }
  return { stores, feeds };
}

/** Returns where a module makes a store. */
function storeIn(file: string, text: string): StorePlace | undefined {
  for (const library of ['redux', 'zustand'] as const) {
    const place = IMPORTS[library].test(text) ? placeOf(file, text, STORES[library]) : undefined;
    if (place !== undefined) return { ...place, library, factory: factoryIn(text, STORES[library]) };
  }
  return undefined;
}

/** Returns the place of the first match outside of imports and comments. */
function placeOf(file: string, text: string, pattern: RegExp): Place | undefined {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => pattern.test(line) && !/^\s*(?:import\b|\/\/|\*|\/\*)/.test(line));
  return index === -1 ? undefined : { file, line: index + 1, text: (lines[index] ?? '').trim() };
}

const FUNCTION =
  /^export (?:default )?(?:async )?function\s*\*?\s*(\w+)|^export const (\w+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:<[^>]*>\s*)?(?:\([^)]*\)|\w+)\s*(?::[^=]+)?=>/;
const TOP_LEVEL = /^(?:export |const |let |var |function |async function |class |\}|\))/;

/** Returns the name of the exported function in which a pattern occurs first. */
function factoryIn(text: string, pattern: RegExp): string | undefined {
  let around: string | undefined;
  for (const line of text.split('\n')) {
    const [, declared, assigned] = FUNCTION.exec(line) ?? [];
    if (declared !== undefined || assigned !== undefined) around = declared ?? assigned;
    else if (TOP_LEVEL.test(line) && !/^[})]/.test(line)) around = undefined;
    if (pattern.test(line) && !line.startsWith('import')) return around;
  }
  return undefined;
}
