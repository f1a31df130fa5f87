import { memo, useState } from 'react';
import { CLIPPED_LENGTH, blocksOf, clipped } from './clip.ts';

/**
 * Text as it was written. A very long one shows its beginning and a button; the rest then comes in blocks, of which the
 * browser lays out only those in view.
 */
export const ClippedText = memo(function ClippedText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= CLIPPED_LENGTH) return <p className="words">{text}</p>;
  if (isWhole) return <Blocks text={text} />;
  return (
    <>
      <p className="words">{clipped(text)}</p>
      <button type="button" className="more" onClick={() => setWhole(true)}>
        Show all
      </button>
    </>
  );
});

function Blocks({ text }: { readonly text: string }) {
  return blocksOf(text).map((block, index) => (
    // Blocks never move: their place is their identity.
    // oxlint-disable-next-line react/no-array-index-key
    <p key={index} className="words words-block">
      {block}
    </p>
  ));
}
