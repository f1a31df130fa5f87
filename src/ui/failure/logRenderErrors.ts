import type { RootOptions } from 'react-dom/client';

/**
 * Options of `createRoot` that log render errors on the console: the kind of the error and the component that threw it. The error's
 * message is omitted, because it may contain message texts.
 */
export const logRenderErrors: RootOptions = {
  onCaughtError: (error, { componentStack }) =>
    log('A part of the page cannot be shown', error, componentStack),
  onUncaughtError: (error, { componentStack }) => log('The page cannot be shown', error, componentStack),
};

function log(text: string, error: unknown, componentStack = ''): void {
  const kind = error instanceof Error ? error.name : typeof error;
  // The console is the log of a page.
  // oxlint-disable-next-line no-console
  console.error(`${text}: ${kind}${componentStack}`);
}
