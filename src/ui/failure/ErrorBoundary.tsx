import { Component, type ReactNode } from 'react';

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
