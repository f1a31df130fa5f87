import { memo, useMemo, useState } from 'react';
import { clip } from '#shared/clip.ts';
import { CLIPPED_LENGTH, COSTLY_LENGTH, splitIntoBlocks } from './splitIntoBlocks.ts';
import { isCostlyText } from './costlyText.ts';
import { LinkedText } from './LinkedText.tsx';

interface Props {
  readonly text: string;
  /** Whether addresses in the text are links. */
  readonly hasLinks?: boolean;
  /** The index of a character that must be shown. */
  readonly shownTo?: number | undefined;
}

/**
 * Shows a text. Clips a very long one and adds a button that shows all of it, in blocks: the browser lays out only the blocks in view.
 */
export const ClippedText = memo(function ClippedText({ text, hasLinks = false, shownTo = 0 }: Props) {
  const [isWhole, setWhole] = useState(false);
  const length = useMemo(() => shownLength(text), [text]);
  // It stays whole when the hit is elsewhere: nothing below it moves.
  if (!isWhole && shownTo >= length) setWhole(true);
  if (text.length <= length) return <Text text={text} hasLinks={hasLinks} />;
  if (isWhole) return <Blocks text={text} hasLinks={hasLinks} />;
  return (
    <>
      <Text text={clip(text, length)} hasLinks={hasLinks} />
      <button type="button" className="more" onClick={() => setWhole(true)}>
        Show all
      </button>
    </>
  );
});

const shownLength = (text: string): number =>
  isCostlyText(text.slice(0, CLIPPED_LENGTH)) ? COSTLY_LENGTH : CLIPPED_LENGTH;

function Blocks({ text, hasLinks }: TextProps) {
  return splitIntoBlocks(text).map((block, index) => (
    // Blocks never move, so an index identifies a block.
    // oxlint-disable-next-line react/no-array-index-key
    <Text key={index} text={block} hasLinks={hasLinks} className="item-text item-text-block" />
  ));
}

interface TextProps extends Required<Pick<Props, 'text' | 'hasLinks'>> {
  readonly className?: string;
}

const Text = ({ text, hasLinks, className = 'item-text' }: TextProps) => (
  <p className={className} dir="auto">
    {hasLinks ? <LinkedText text={text} /> : text}
  </p>
);
