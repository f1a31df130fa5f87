import type { ReactNode } from 'react';
import { watchOverflow } from '../markup/prepareMarkup.ts';

interface Props {
  readonly as?: 'div' | 'pre';
  readonly className?: string;
  readonly children: ReactNode;
}

/** Scrolls sideways what is wider than its card; the keyboard can reach it then. */
export const Scroller = ({ as: Tag = 'div', className, children }: Props) => (
  <Tag ref={watch} className={className}>
    {children}
  </Tag>
);

function watch(element: Element): () => void {
  const overflow = watchOverflow();
  overflow.observe(element);
  return () => overflow.disconnect();
}
