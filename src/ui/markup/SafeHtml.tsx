import { memo, useLayoutEffect, useRef, useState } from 'react';
import { PLACEHOLDER } from '#shared/conversation/display.ts';
import { hasTime, runInSlices } from '../base/runInSlices.ts';
import { useExpansion } from '../base/itemCommands.ts';
import { ItemSource } from '../base/ItemSource.tsx';
import { keepScroll, prepareMarkup, watchOverflow } from './prepareMarkup.ts';
import { sanitizeHtml } from './sanitizeHtml.ts';
import { createParser } from './parseMarkup.ts';
import { sanitizeInParts } from './sanitizeInParts.ts';

/**
 * Shows a content item's markup (spec §2.4) after `sanitizeHtml`, or the placeholder when nothing of it is visible. Markup over a limit is
 * shown on request.
 */
export const SafeHtml = memo(function SafeHtml({ html }: { readonly html: string }) {
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const [steps, expand] = useExpansion('markup');
  if (tooLarge === html && steps > 0) return <WholeMarkup html={html} />;
  if (tooLarge === html) return <TooLarge html={html} onShowAll={() => expand(1)} />;
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

interface TooLargeProps {
  readonly html: string;
  readonly onShowAll: () => void;
}

/** Shows a message in place of markup over a limit. */
const TooLarge = ({ html, onShowAll }: TooLargeProps) => (
  <>
    <p className="item-text">
      This page is too large to show. You can look at its source, or show all of it, part by part.
    </p>
    <div className="item-actions">
      <button type="button" className="more" onClick={onShowAll}>
        Show all
      </button>
      <ItemSource sourceOf={() => html} />
    </div>
  </>
);

/** Maximum number of nodes of a page that are shown: more would occupy over 1 GB. */
const MOST_NODES = 1_000_000;

/**
 * Shows all markup of a content item after sanitizing, however large it is. It is parsed, sanitized and shown in steps, so that it does not block the
 * window. The browser lays out only the parts in view.
 */
function WholeMarkup({ html }: { readonly html: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [isLoading, setLoading] = useState(true);
  const throwInRender = useThrowInRender();
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const overflow = watchOverflow();
    const stops = [() => overflow.disconnect()];
    const steps = showSteps(html, (content) => {
      const part = partElement();
      stops.push(prepareMarkup(content));
      part.append(content);
      element.append(part);
      overflow.observe(part);
    });
    let cancel: () => void = () => undefined;
    const show = () => {
      try {
        do if (steps.next().done === true) return setLoading(false);
        while (hasTime());
        cancel = runInSlices(show);
      } catch (error) {
        throwInRender(error);
      }
      return undefined;
    };
    cancel = runInSlices(show);
    return () => {
      cancel();
      for (const stop of stops) stop();
      element.replaceChildren();
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [html]);
  return (
    <>
      <div ref={place} className="markup" dir="auto" aria-busy={isLoading} />
      {isLoading && <p className="missing">Loading…</p>}
    </>
  );
}

function partElement(): Element {
  const part = document.createElement('div');
  part.className = 'markup-part';
  return part;
}

/** Passes the parts of a page to `show`, in steps of a few milliseconds. */
function* showSteps(html: string, show: (content: DocumentFragment) => void): Generator<void, void> {
  const parser = createParser(html);
  while (parser.nodes() < MOST_NODES && parser.parseNext()) yield;
  const isCut = parser.nodes() >= MOST_NODES;
  let isEmpty = true;
  for (const part of sanitizeInParts(parser.body)) {
    if (part !== null) show(part);
    isEmpty &&= part === null;
    yield;
  }
  if (isCut) show(textPart('The rest of this page is too large to show.'));
  else if (isEmpty) show(textPart(PLACEHOLDER));
}

function textPart(text: string): DocumentFragment {
  const part = new DocumentFragment();
  part.append(text);
  return part;
}

/** Returns a function that throws an error while rendering, so that the error boundary catches errors of later tasks too. */
function useThrowInRender(): (error: unknown) => void {
  const [, setState] = useState<null>(null);
  return (error) =>
    setState(() => {
      throw error;
    });
}
