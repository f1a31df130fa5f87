import { Component, type ReactNode } from 'react';
import type { RootOptions } from 'react-dom/client';

interface Props {
  readonly children: ReactNode;
  /** Shown in place of `children` after one of them has thrown an error. */
  readonly fallback: ReactNode;
  /** The value that `children` show. A new value retries `children`. */
  readonly of?: unknown;
}

interface State {
  readonly of: unknown;
  readonly hasFailed: boolean;
}

/** Catches a render error in `children` and shows the fallback, so the rest of the page stays. `logRenderErrors` logs the error. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { of: this.props.of, hasFailed: false };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return Object.is(of, state.of) ? null : { of, hasFailed: false };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

interface PageFailureProps {
  /** The message: what failed, and what to do. */
  readonly text: string;
}

/** Shows a message in place of a whole page that cannot be shown. */
export const PageFailure = ({ text }: PageFailureProps) => (
  <div className="page-failure" role="alert">
    <p>{text}</p>
    <button type="button" className="more" onClick={() => location.reload()}>
      Reload
    </button>
  </div>
);

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
