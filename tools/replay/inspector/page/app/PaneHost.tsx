import { useCallback, useLayoutEffect, useState } from 'react';
import { stackOf } from '../../../adapter/stackOf.ts';
import type { LoadedPane } from './loadedPane.ts';

interface Props {
  readonly pane: LoadedPane;
  readonly state: unknown;
  /** Receives the stack of an exception of the pane; `undefined` when it has drawn the state. */
  readonly onThrown: (stack: string | undefined) => void;
}

/** Contains what the pane of an app draws, in a shadow root of its own. */
export function PaneHost({ pane, state, onThrown }: Props) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const open = useCallback(
    (host: HTMLElement | null) => {
      if (host !== null) setElement(openRoot(host, pane.styles));
    },
    [pane],
  );
  useLayoutEffect(() => {
    if (element === null) return;
    try {
      pane.draw(element, state);
      onThrown(undefined);
    } catch (error) {
      element.replaceChildren();
      onThrown(stackOf(error));
    }
  }, [pane, element, state, onThrown]);
  return <div ref={open} className="app-host" />;
}

function openRoot(host: HTMLElement, styles: CSSStyleSheet | undefined): HTMLElement {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  if (styles !== undefined) root.adoptedStyleSheets = [styles];
  const element = host.ownerDocument.createElement('div');
  root.replaceChildren(element);
  return element;
}
