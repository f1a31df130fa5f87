import type { RootOptions } from 'react-dom/client';

/**
 * Options of `createRoot` that log errors of rendering on the console: the kind of the error and the component that threw it.
 * The error's own message may contain what a person wrote, so it is left out.
 */
export const logRenderErrors: RootOptions = {
  onCaughtError: (error, { componentStack }) =>
    log('A part of the page cannot be shown', error, componentStack),
  onUncaughtError: (error, { componentStack }) => log('The page cannot be shown', error, componentStack),
};

function log(words: string, error: unknown, componentStack = ''): void {
  const kind = error instanceof Error ? error.name : typeof error;
  // The console is the log of a page.
  // oxlint-disable-next-line no-console
  console.error(`${words}: ${kind}${componentStack}`);
}
