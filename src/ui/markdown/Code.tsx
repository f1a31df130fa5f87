import { memo } from 'react';
import { type CodeBlock, codeText } from './syntax.ts';

/** Draws code. */
export const Code = memo(function Code({ block }: { readonly block: CodeBlock }) {
  return (
    <div className="code" dir="auto">
      <pre>
        <code>{codeText(block)}</code>
      </pre>
    </div>
  );
});
