import { type ReactNode, memo, useContext, useEffect, useSyncExternalStore } from 'react';
import { loadMath, loadedMath, subscribeMath } from './math.ts';
import { Scroller, StaticContext } from './Scroller.tsx';

interface Props {
  readonly tex: string;
  readonly isDisplay: boolean;
  /** Whether its end has arrived: until then, it is shown as its source. */
  readonly isComplete?: boolean;
}

/**
 * Draws a formula as MathML; one that is not valid, or whose end has not arrived, as its source. In a window, its source is also a transparent text over it:
 * what is selected, copied, searched and marked of a formula.
 */
export const Formula = memo(function Formula({ tex, isDisplay, isComplete = true }: Props) {
  const render = useMath();
  const math = isComplete ? render?.(tex, isDisplay) : null;
  if (math === null || math === undefined) return <FormulaSource tex={tex} isDisplay={isDisplay} />;
  const drawn = <Drawn tex={tex}>{math}</Drawn>;
  return isDisplay ? (
    <Scroller as="span" className="formula">
      {drawn}
    </Scroller>
  ) : (
    drawn
  );
});

function useMath() {
  const render = useSyncExternalStore(subscribeMath, loadedMath, loadedMath);
  useEffect(() => {
    if (render === undefined) void loadMath();
  }, [render]);
  return render;
}

function Drawn({ tex, children }: { readonly tex: string; readonly children: ReactNode }) {
  const isStatic = useContext(StaticContext);
  if (isStatic) return children;
  return (
    <span className="math">
      {children}
      <span className="math-source" aria-hidden="true">
        {tex}
      </span>
    </span>
  );
}

const FormulaSource = ({ tex, isDisplay }: Props) =>
  isDisplay ? (
    <Scroller as="span" className="formula formula-source">
      <code dir="ltr">{tex}</code>
    </Scroller>
  ) : (
    <code dir="ltr">{tex}</code>
  );
