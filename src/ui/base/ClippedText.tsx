import { memo, useMemo, useState } from 'react';
import { clip } from '#shared/clip.ts';
import { CLIPPED_LENGTH, COSTLY_LENGTH, splitIntoBlocks } from './splitIntoBlocks.ts';
import { isCostlyText } from './costlyText.ts';

/**
 * Shows a text. Clips a very long one and adds a button that shows all of it, in blocks: the browser lays out only the blocks in view.
 */
export const ClippedText = memo(function ClippedText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const length = useMemo(() => shownLength(text), [text]);
  if (text.length <= length) return <Text text={text} />;
  if (isWhole) return <Blocks text={text} />;
  return (
    <>
      <Text text={clip(text, length)} />
      <button type="button" className="more" onClick={() => setWhole(true)}>
        Show all
      </button>
    </>
  );
});

const shownLength = (text: string): number =>
  isCostlyText(text.slice(0, CLIPPED_LENGTH)) ? COSTLY_LENGTH : CLIPPED_LENGTH;

function Blocks({ text }: { readonly text: string }) {
  return splitIntoBlocks(text).map((block, index) => (
    // Blocks never move, so an index identifies a block.
    // oxlint-disable-next-line react/no-array-index-key
    <Text key={index} text={block} className="item-text item-text-block" />
  ));
}

interface TextProps {
  readonly text: string;
  readonly className?: string;
}

const Text = ({ text, className = 'item-text' }: TextProps) => (
  <p className={className} dir="auto">
    {text}
  </p>
);
