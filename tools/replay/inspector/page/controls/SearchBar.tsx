import type { FormEvent } from 'react';
import { IconButton } from '../parts/IconButton.tsx';
import { hasOneMatch } from '../session/search.ts';
import type { Search } from '../session/state.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';

/** The kinds of search, each with a label and an example. */
const KINDS: Readonly<Record<Search['kind'], readonly [label: string, example: string]>> = {
  expression: ['State is', 'messages.length == 40'],
  frame: ['Frame has', '"category":"image"'],
  change: ['Field changes', 'connection'],
  update: ['Update', '12'],
  time: ['Time', '1.5 s'],
  message: ['Message', 'its id'],
};

const isKind = (value: string): value is Search['kind'] => Object.hasOwn(KINDS, value);

/** Shows the search, which is also the condition of a break. */
export function SearchBar() {
  const { search, fail } = useInspector();
  const { kind, text } = useInspectorState((state) => state.search);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (hasOneMatch({ kind }) ? search.jump() : search.find('forward')).catch(fail);
  };
  return (
    <search aria-label="Go to">
      <form className="search" onSubmit={submit}>
        <select
          aria-label="What to look for"
          value={kind}
          onChange={({ target }) => isKind(target.value) && search.set({ kind: target.value })}
        >
          {Object.entries(KINDS).map(([value, [label]]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <input
          id="go-to"
          aria-label="Look for"
          value={text}
          placeholder={KINDS[kind][1]}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => search.set({ text: target.value })}
        />
        {hasOneMatch({ kind }) ? <button type="submit">Go</button> : <FindButtons />}
      </form>
    </search>
  );
}

function FindButtons() {
  const { search, store } = useInspector();
  const breaks = useInspectorState((state) => state.breaks);
  return (
    <>
      <IconButton icon="previous" name="Find before" onClick={() => void search.find('backward')} />
      <IconButton icon="next" name="Find after" onClick={() => void search.find('forward')} />
      <button
        type="button"
        className="toggle"
        aria-pressed={breaks}
        title="Playing stops at the step where this is met"
        onClick={() => store.set({ breaks: !breaks })}
      >
        Break
      </button>
    </>
  );
}
