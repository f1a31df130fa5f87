import { createContext, memo, useContext, useMemo, type ReactNode } from 'react';
import { ClippedText } from '../base/ClippedText.tsx';
import { LINK_ATTRIBUTES } from '../base/splitLinks.ts';
import { Formula } from './Formula.tsx';
import { NoteReference } from './Note.tsx';
import { parseInline } from './parseInline.ts';
import { type Inline, NO_DEFINITIONS } from './syntax.ts';

/** Provides the definitions that the texts within a block use. */
export const DefinitionsContext = createContext(NO_DEFINITIONS);

/** Draws the text of a paragraph, heading or cell; one over a limit as it is written. */
export const Line = memo(function Line({ source }: { readonly source: string }) {
  const definitions = useContext(DefinitionsContext);
  const parts = useMemo(() => parseInline(source, definitions), [source, definitions]);
  return parts === null ? <ClippedText text={source} as="span" /> : parts.map(partElement);
});

/** Returns the element of a part. Parts have no state, so an index identifies a part. */
function partElement(part: Inline, index: number): ReactNode {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'strong':
      return <strong key={index}>{part.children.map(partElement)}</strong>;
    case 'em':
      return <em key={index}>{part.children.map(partElement)}</em>;
    case 'del':
      return <del key={index}>{part.children.map(partElement)}</del>;
    case 'code':
      return <code key={index}>{part.text}</code>;
    case 'link':
      return (
        <Link key={index} address={part.address} title={part.title}>
          {part.children.map(partElement)}
        </Link>
      );
    case 'image':
      return <img key={index} src={part.address} alt={part.name} />;
    case 'math':
      return <Formula key={index} tex={part.tex} isDisplay={part.isDisplay} />;
    case 'break':
      return <br key={index} />;
    case 'noteReference':
      return <NoteReference key={index} number={part.number} />;
    default:
      return part satisfies never;
  }
}

interface LinkProps {
  readonly address: string | null;
  readonly title: string;
  readonly children: ReactNode;
}

/** Draws a link, with its address as the tooltip; without a link when the address must not be opened from here. */
const Link = ({ address, title, children }: LinkProps) =>
  address === null ? (
    <span title={title === '' ? undefined : title}>{children}</span>
  ) : (
    <a href={address} title={address} dir="auto" {...LINK_ATTRIBUTES}>
      {children}
    </a>
  );
