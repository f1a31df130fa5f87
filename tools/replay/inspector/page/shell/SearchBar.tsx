import { type FormEvent, useId } from 'react';
import { IconButton, Popover, TextButton } from '../parts/controls.tsx';
import { formatPlural } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { hasOneMatch } from '../session/stepSearch.ts';
import { type Breakpoint, type Search, isParley } from '../session/inspectorState.ts';

/** The kinds of search, each with a label and an example. */
const SEARCH_KINDS: Readonly<
  Record<Search['kind'], readonly [label: string, example: string, exampleOfApp?: string]>
> = {
  expression: ['State is', 'connection == "connected"', 'updates == 12'],
  frame: ['Frame has', '"category":"image"', '"type":'],
  change: ['Field changes', 'messages.length', 'state'],
  update: ['Update', '12', '12'],
  time: ['Time', '2:03.400', '2:03.400'],
  // Other apps have no messages.
  message: ['Message', 'its id'],
};

const isKind = (value: string): value is Search['kind'] => Object.hasOwn(SEARCH_KINDS, value);

/** Shows the search, which is also the condition of a new breakpoint. */
export function SearchBar() {
  const { search, breakpoints } = useInspector();
  const { kind } = useInspectorState((state) => state.search);
  const ofParley = useInspectorState(isParley);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (hasOneMatch(kind) ? search.jump() : search.find('forward'));
  };
  return (
    <search aria-label="Go to">
      <form className="search" onSubmit={submit}>
        <select
          aria-label="What to look for"
          value={kind}
          onChange={({ target }) => isKind(target.value) && search.set({ kind: target.value })}
        >
          {Object.entries(SEARCH_KINDS)
            .filter(([, [, , exampleOfApp]]) => ofParley || exampleOfApp !== undefined)
            .map(([value, [label]]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
        </select>
        <SearchField />
        {hasOneMatch(kind) ? (
          <button type="submit">Go</button>
        ) : (
          <>
            <IconButton icon="previous" name="Find before" onClick={() => void search.find('backward')} />
            <IconButton icon="next" name="Find after" onClick={() => void search.find('forward')} />
          </>
        )}
        <TextButton
          className="toggle"
          name="Break"
          title="Playing stops at the steps where this is met"
          onClick={() => void breakpoints.add()}
        />
        <BreakpointList />
      </form>
    </search>
  );
}

/** Shows the text to look for, and below it why it cannot be used. */
function SearchField() {
  const { search } = useInspector();
  const { kind, text } = useInspectorState((state) => state.search);
  const [, example, exampleOfApp] = SEARCH_KINDS[kind];
  const ofParley = useInspectorState(isParley);
  const error = useInspectorState((state) => state.searchError);
  const id = useId();
  return (
    <span className="search-field">
      <input
        id="go-to"
        aria-label="Look for"
        value={text}
        placeholder={ofParley ? example : exampleOfApp}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : id}
        onChange={({ target }) => search.set({ text: target.value })}
      />
      <output id={id} className="field-error">
        {error}
      </output>
    </span>
  );
}

const describe = ({ search: { kind, text } }: Breakpoint) => `${SEARCH_KINDS[kind][0]} ${text.trim()}`;

/** Shows the breakpoints: turns them on and off, and removes them. */
function BreakpointList() {
  const { breakpoints } = useInspector();
  const all = useInspectorState((state) => state.breakpoints);
  const remove = (one: Breakpoint) => {
    breakpoints.remove(one);
    // The focused button disappears.
    document.querySelector<HTMLElement>(all.length === 1 ? '#go-to' : '.breakpoints > summary')?.focus();
  };
  if (all.length === 0) return null;
  const active = all.filter(({ isOn }) => isOn).length;
  return (
    <Popover
      className="breakpoints"
      label={`${formatPlural(all.length, 'break')}${active < all.length ? `, ${active} on` : ''}`}
    >
      <ul aria-label="Breakpoints">
        {all.map((one) => (
          <li key={describe(one)}>
            <label>
              <input type="checkbox" checked={one.isOn} onChange={() => breakpoints.toggle(one)} />
              <span className="faint">{SEARCH_KINDS[one.search.kind][0]}</span>{' '}
              <code>{one.search.text.trim()}</code>
            </label>
            <IconButton
              icon="close"
              name={`Delete the breakpoint ${describe(one)}`}
              onClick={() => remove(one)}
            />
          </li>
        ))}
      </ul>
    </Popover>
  );
}
