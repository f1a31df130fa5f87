import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Icon } from './IconButton.tsx';

interface Props {
  readonly className: string;
  readonly label: ReactNode;
  readonly children: ReactNode;
}

/** Shows a button that opens what is inside. Escape and a press outside close it. */
export function Popover({ className, label, children }: Props) {
  const details = useRef<HTMLDetailsElement>(null);
  useDismiss(details);
  return (
    <details ref={details} className={`popover ${className}`}>
      <summary>
        {label}
        <Icon name="down" />
      </summary>
      {children}
    </details>
  );
}

/** Closes an open `details` on Escape and on a press outside it. */
function useDismiss(details: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const close = () => {
      if (details.current) details.current.open = false;
    };
    const press = ({ target }: Event) => {
      if (target instanceof Node && details.current?.contains(target) === false) close();
    };
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || details.current?.open !== true) return;
      event.stopPropagation();
      close();
      details.current.querySelector('summary')?.focus();
    };
    const element = details.current;
    document.addEventListener('pointerdown', press);
    element?.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('pointerdown', press);
      element?.removeEventListener('keydown', key);
    };
  }, [details]);
}
