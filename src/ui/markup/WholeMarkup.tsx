import { useLayoutEffect, useRef, useState } from 'react';
import { PLACEHOLDER } from '#shared/conversation/display.ts';
import { hasTime, runInSlices } from '../base/runInSlices.ts';
import { createParser } from './parseMarkup.ts';
import { prepareMarkup } from './prepareMarkup.ts';
import { sanitizeInParts } from './sanitizeInParts.ts';
import { useThrowInRender } from './useThrowInRender.ts';
import { watchOverflow } from './watchOverflow.ts';

/** Maximum number of nodes of a page that are shown: more would occupy over 1 GB. */
const MOST_NODES = 1_000_000;

/**
 * Shows all markup of a content item after sanitizing, however large it is. It is parsed, sanitized and shown in steps, so that it does not block the
 * window. The browser lays out only the parts in view.
 */
export function WholeMarkup({ html }: { readonly html: string }) {
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
