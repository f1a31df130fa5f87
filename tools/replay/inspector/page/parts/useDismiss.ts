import { type RefObject, useEffect } from 'react';

/** Closes an open `details` on Escape and on a press outside it. */
export function useDismiss(details: RefObject<HTMLDetailsElement | null>): void {
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
