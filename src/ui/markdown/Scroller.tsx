import { type ReactNode, createContext } from 'react';
import { watchOverflow } from '../markup/prepareMarkup.ts';

/** Whether Markdown is drawn outside of a window: without buttons, and without what only the window's style sheet hides. */
export const StaticContext = createContext(false);

interface Props {
  /** A formula may be within a paragraph. */
  readonly as?: 'div' | 'pre' | 'span';
  readonly className?: string;
  readonly children: ReactNode;
}

/** Scrolls sideways what is wider than its card; the keyboard can reach it then. */
export function Scroller({ as = 'div', className, children }: Props) {
  if (as === 'pre') return <pre ref={watch}>{children}</pre>;
  if (as === 'span')
    return (
      <span ref={watch} className={className}>
        {children}
      </span>
    );
  return (
    <div ref={watch} className={className}>
      {children}
    </div>
  );
}

function watch(element: Element | null): (() => void) | undefined {
  if (element === null) return undefined;
  const overflow = watchOverflow();
  overflow.observe(element);
  return () => overflow.disconnect();
}
