/** For tests; `createPageServer.mjs` says what it does. */
export function createPageServer(
  target: { root: string; proxied: string[]; built: RegExp[] },
  programPort: number,
): Promise<{ origin: string; navigate: (path: string) => void; close: () => Promise<void> }>;
