import { type ReactNode, useCallback, useState } from 'react';
import { createPortal } from 'react-dom';

interface Props {
  readonly className: string;
  /** The text of a style sheet. */
  readonly styles: string;
  /** Returns what is drawn, for the element that contains it. */
  readonly children: (host: Element) => ReactNode;
}

/** Draws in a shadow root, in which neither the styles nor the ids meet those of the inspector. */
export function ShadowHost({ className, styles, children }: Props) {
  const [root, setRoot] = useState<ShadowRoot | null>(null);
  const open = useCallback(
    (host: HTMLElement | null) => {
      if (host === null) return;
      const opened = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
      // The policy of the page refuses style elements.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(styles);
      opened.adoptedStyleSheets = [sheet];
      setRoot(opened);
    },
    [styles],
  );
  return (
    <div ref={open} className={className}>
      {root && createPortal(children(root.host), root)}
    </div>
  );
}
