import { Fragment, type ReactNode } from 'react';
import { betweenCharacters, clip } from '#shared/clip.ts';
import { NAME_LENGTH } from './splitIntoBlocks.ts';

/** Two or more blanks, also with invisible characters between them; or a character that overrides the direction of what follows. */
const PARTS =
  /((?:[\s\p{Z}\u2800\u115F\u1160\u3164\uFFA0][\p{Cf}\p{Default_Ignorable_Code_Point}]*){2,})|([\u202A-\u202E\u2066-\u2069])/gu;

interface Props {
  readonly text: string;
  /** A longer name is shown without its middle. In UTF-16 units. */
  readonly length?: number;
}

/**
 * Shows a name, such as that of a file, so that it cannot hide its end: a run of blanks is as wide as one, and a character that changes the direction of
 * text changes only itself. Its characters stay the same, except the middle of a long name.
 */
export function Name({ text, length = NAME_LENGTH }: Props) {
  if (text.length <= length) return partsOf(text);
  const end = text.slice(betweenCharacters(text, text.length - Math.floor(length / 2)));
  return (
    <>
      {partsOf(clip(text, Math.ceil(length / 2)))}
      <span className="name-end">{partsOf(end)}</span>
    </>
  );
}

function partsOf(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let start = 0;
  for (const { 0: match, 1: blanks, index } of text.matchAll(PARTS)) {
    parts.push(<Fragment key={start}>{text.slice(start, index)}</Fragment>);
    parts.push(
      blanks === undefined ? (
        <bdi key={index}>{match}</bdi>
      ) : (
        <span key={index} className="name-gap">
          {blanks}
        </span>
      ),
    );
    start = index + match.length;
  }
  return [...parts, <Fragment key={start}>{text.slice(start)}</Fragment>];
}
