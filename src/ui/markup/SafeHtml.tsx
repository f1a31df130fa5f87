import { memo, useLayoutEffect, useRef, useState } from 'react';
import { PLACEHOLDER } from '#shared/conversation/display.ts';
import { runInSlices } from '../base/runInSlices.ts';
import { TooLarge } from './TooLarge.tsx';
import { WholeMarkup } from './WholeMarkup.tsx';
import { keepScroll } from './keepScroll.ts';
import { prepareMarkup } from './prepareMarkup.ts';
import { sanitizeHtml } from './sanitizeHtml.ts';
import { useThrowInRender } from './useThrowInRender.ts';
import { watchOverflow } from './watchOverflow.ts';

/**
 * Shows a content item's markup (spec §2.4) after `sanitizeHtml`, or the placeholder when nothing of it is visible. Markup over a limit is
 * shown on request.
 */
export const SafeHtml = memo(function SafeHtml({ html }: { readonly html: string }) {
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const [requested, setRequested] = useState<string | null>(null);
  if (requested === html) return <WholeMarkup html={html} />;
  if (tooLarge === html) return <TooLarge html={html} onShowAll={() => setRequested(html)} />;
  return <Markup html={html} onTooLarge={() => setTooLarge(html)} />;
});

interface MarkupProps {
  readonly html: string;
  readonly onTooLarge: () => void;
}

function Markup({ html, onTooLarge }: MarkupProps) {
  const place = useRef<HTMLDivElement>(null);
  const throwInRender = useThrowInRender();
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    if (!element.hasChildNodes()) element.replaceChildren(PLACEHOLDER);
    const overflow = watchOverflow();
    let stop: (() => void) | undefined;
    const cancel = runInSlices(() => {
      try {
        const fragment = sanitizeHtml(html);
        if (fragment === 'tooLarge') return onTooLarge();
        if (fragment !== null) stop = prepareMarkup(fragment);
        const restoreScroll = keepScroll(element);
        element.replaceChildren(fragment ?? PLACEHOLDER);
        restoreScroll();
        return overflow.observe(element);
      } catch (error) {
        return throwInRender(error);
      }
    });
    return () => {
      cancel();
      stop?.();
      overflow.disconnect();
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [html]);
  return <div ref={place} className="markup" dir="auto" />;
}
