import { Fragment, type ReactNode, createElement, memo, useMemo, useState } from 'react';
import { useExpansion } from './itemCommands.ts';
import { betweenCharacters, clip } from '#shared/formatText.ts';
import { CLIPPED_LENGTH, COSTLY_LENGTH, NAME_LENGTH, isCostlyText, splitIntoBlocks } from './longText.ts';
import { LINK_ATTRIBUTES, splitLinks } from './splitLinks.ts';

interface Props {
  readonly text: string;
  /** Whether addresses in the text are links. */
  readonly hasLinks?: boolean;
  /** The index of a character that must be shown. */
  readonly shownTo?: number | undefined;
  /** What the text is a part of. */
  readonly part?: 'text' | 'sourceText';
  /** A text within a paragraph is no paragraph. */
  readonly as?: 'p' | 'span';
}

/**
 * Shows a text. Clips a very long one and adds a button that shows all of it, in blocks: the browser lays out only the blocks in view.
 */
export const ClippedText = memo(function ClippedText(props: Props) {
  const { text, hasLinks = false, shownTo = 0, part = 'text', as = 'p' } = props;
  const [steps, expand] = useExpansion(part);
  const [wasFound, setFound] = useState(false);
  const length = useMemo(() => shownLength(text), [text]);
  // It stays whole when the hit is elsewhere: nothing below it moves.
  if (!wasFound && shownTo >= length) setFound(true);
  if (text.length <= length) return <Text text={text} hasLinks={hasLinks} as={as} />;
  if (steps > 0 || wasFound) return <Blocks text={text} hasLinks={hasLinks} as={as} />;
  return (
    <>
      <Text text={clip(text, length)} hasLinks={hasLinks} as={as} />
      <button type="button" className="more" onClick={() => expand(1)}>
        Show all
      </button>
    </>
  );
});

const shownLength = (text: string): number =>
  isCostlyText(text.slice(0, CLIPPED_LENGTH)) ? COSTLY_LENGTH : CLIPPED_LENGTH;

function Blocks({ text, hasLinks, as }: TextProps) {
  return splitIntoBlocks(text).map((block, index) => (
    // Blocks never move, so an index identifies a block.
    // oxlint-disable-next-line react/no-array-index-key
    <Text key={index} text={block} hasLinks={hasLinks} as={as} className="item-text item-text-block" />
  ));
}

interface TextProps extends Required<Pick<Props, 'text' | 'hasLinks' | 'as'>> {
  readonly className?: string;
}

const Text = ({ text, hasLinks, as: Tag, className = 'item-text' }: TextProps) => (
  <Tag className={className} dir="auto">
    {hasLinks ? <LinkedText text={text} /> : text}
  </Tag>
);

/** Shows a text with its addresses as links. Its characters stay the same. */
const LinkedText = ({ text }: { readonly text: string }) =>
  splitLinks(text).map((part, index) => (
    // Parts have no state, so an index identifies a part.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{part.isLink ? <Link address={part.text} /> : part.text}</Fragment>
  ));

const Link = ({ address }: { readonly address: string }) => (
  <a href={address} dir="auto" {...LINK_ATTRIBUTES}>
    {address}
  </a>
);

/** Two or more blanks, also with invisible characters between them; or a character that overrides the direction of what follows. */
const PARTS =
  /((?:[\s\p{Z}\u2800\u115F\u1160\u3164\uFFA0][\p{Cf}\p{Default_Ignorable_Code_Point}]*){2,})|([\u202A-\u202E\u2066-\u2069])/gu;

interface NameProps {
  readonly text: string;
  /** A longer name is shown without its middle. In UTF-16 units. */
  readonly length?: number;
}

/**
 * Shows a name, such as that of a file, so that it cannot hide its end: a run of blanks is as wide as one, and a character that changes the direction of
 * text changes only itself. Its characters stay the same, except the middle of a long name.
 */
export function Name({ text, length = NAME_LENGTH }: NameProps) {
  if (text.length <= length) return partsOf(text);
  const end = text.slice(betweenCharacters(text, text.length - Math.floor(length / 2)));
  return (
    <>
      {partsOf(clip(text, Math.ceil(length / 2)))}
      <span className="name-end">{partsOf(end)}</span>
    </>
  );
}

function partsOf(text: string): ReactNode {
  const parts: ReactNode[] = [];
  let start = 0;
  for (const { 0: match, 1: blanks, index } of text.matchAll(PARTS)) {
    parts.push(text.slice(start, index));
    parts.push(blanks === undefined ? <bdi>{match}</bdi> : <span className="name-gap">{blanks}</span>);
    start = index + match.length;
  }
  return createElement(Fragment, null, ...parts, text.slice(start));
}
