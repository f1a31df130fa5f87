import { memo, useMemo, useState } from 'react';
import { jsonLines } from './jsonLines.ts';

/** The number of lines, and of characters of a long line, that are shown at first. */
const FIRST_LINES = 300;
const ALL_LINES = 20_000;
const LONGEST = 5000;

/** Shows formatted JSON with colours; of long JSON, the beginning at first. */
export const JsonView = memo(function JsonView({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState<string>();
  const most = whole === text ? ALL_LINES : FIRST_LINES;
  const { lines, isCut } = useMemo(() => jsonLines(text, most), [text, most]);
  return (
    <>
      <pre className="json">
        {lines.map(({ indent, tokens }, index) => (
          // Lines never move, so the index identifies them.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className="json-line" style={{ paddingInlineStart: `${indent * 1.25}em` }}>
            {tokens.map((token, at) => (
              // oxlint-disable-next-line react/no-array-index-key
              <span key={at} className={`json-${token.part}`}>
                {token.text.length > LONGEST ? `${token.text.slice(0, LONGEST)}…` : token.text}
              </span>
            ))}
          </div>
        ))}
      </pre>
      {isCut && most === FIRST_LINES && (
        <button type="button" className="text-button" onClick={() => setWhole(text)}>
          Show all
        </button>
      )}
    </>
  );
});
