import { memo, useLayoutEffect, useMemo, useRef } from 'react';
import { PLACEHOLDER } from '#shared/conversation/display.ts';
import { ClippedText } from './ClippedText.tsx';
import { sanitizeHtml } from './sanitizeHtml.ts';

/** Markup longer than this is shown as its source: to lay it out could hold up the window. */
export const HTML_LENGTH = 200_000;

/** A content item's markup (spec §2.4), harmless: what is left after `sanitizeHtml`, or the placeholder. */
export const SafeHtml = memo(function SafeHtml({ html }: { readonly html: string }) {
  if (html.length > HTML_LENGTH) return <ClippedText text={html} />;
  return <Markup html={html} />;
});

function Markup({ html }: { readonly html: string }) {
  const fragment = useMemo(() => sanitizeHtml(html), [html]);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // A copy: the fragment is emptied when it is inserted, and an effect may run twice.
    place.current?.replaceChildren(fragment?.cloneNode(true) ?? PLACEHOLDER);
  }, [fragment]);
  return <div ref={place} className="markup" />;
}
