import { type ReactNode, useEffect, useRef } from 'react';
import { watchOverflow } from '../markup/prepareMarkup.ts';

interface Props {
  readonly className: string;
  readonly children: ReactNode;
}

/** Scrolls sideways what is wider than its card; the keyboard can reach it then. */
export function Scroller({ className, children }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const overflow = watchOverflow();
    if (element.current !== null) overflow.observe(element.current);
    return () => overflow.disconnect();
  }, []);
  return (
    <div ref={element} className={className}>
      {children}
    </div>
  );
}
