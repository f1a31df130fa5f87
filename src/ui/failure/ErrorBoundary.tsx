import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  /** Shown in place of `children` after one of them has thrown an error. */
  readonly fallback: ReactNode;
  /** What `children` show. Another value tries `children` again. */
  readonly of?: unknown;
}

interface State {
  readonly of: unknown;
  readonly hasFailed: boolean;
}

/** Limits an error of rendering to `children`: the rest of the page stays. Errors are logged by `logRenderErrors`. */
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
