import { useState } from 'react';
import type { SourceLine } from '#shared/ipc/sourceLines.ts';
import { formatTime } from '../../time/formatTime.ts';
import type { HistoryEntry } from '../../protocol/protocol.ts';
import { TextButton } from '../parts/controls.tsx';
import { formatCount, formatPlural } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownInfo } from '../session/inspectorState.ts';
import { useLoaded } from '../session/useLoaded.ts';

/** The number of changes that are shown at first, and that *Show earlier ones* adds. */
const CHANGES = 100;

/** Shows the steps that changed a value, the newest first; of the selected step, the lines of source that ran. */
export function HistoryPane() {
  const path = useInspectorState((state) => state.historyPath);
  if (path === undefined)
    return (
      <p className="empty">
        Click a value in Changes, in State or in the drawn window to see every step that changed it.
      </p>
    );
  return <ValueHistory key={path} path={path} />;
}

function ValueHistory({ path }: { readonly path: string }) {
  const inspector = useInspector();
  const branch = useInspectorState((state) => state.branch);
  const steps = useInspectorState((state) => shownInfo(state)?.steps);
  const selected = useInspectorState((state) => state.step);
  const [most, setMost] = useState(CHANGES);
  const load = () => inspector.client.request('history', { branch, path, most });
  const history = useLoaded(inspector, load, [branch, path, most, steps]);
  const { entries = [], next } = history ?? {};
  return (
    <div className="history">
      <div className="pane-tools">
        <p className="facts">
          <code>{path}</code>
          {history && (
            <span className="faint">
              {next === undefined
                ? formatPlural(entries.length, 'change')
                : `${formatCount(entries.length)}+ changes`}
            </span>
          )}
        </p>
      </div>
      <section className="scrolled" aria-label={`History of ${path}`} aria-busy={history === undefined}>
        {history && entries.length === 0 && <p className="empty">No step changed it.</p>}
        {history && selected > 0 && !entries.some(({ row }) => row.step === selected) && (
          <LeftAlone key={selected} path={path} step={selected} />
        )}
        <ol>
          {entries.map((entry) => (
            <Entry key={entry.row.step} entry={entry} path={path} isSelected={entry.row.step === selected} />
          ))}
        </ol>
        {next !== undefined && (
          <TextButton name="Show earlier ones" onClick={() => setMost(entries.length + CHANGES)} />
        )}
      </section>
    </div>
  );
}

type StepProps = Readonly<{ path: string; step: number }>;

/** Says that the selected step did not change the value; on request, it shows the lines of source that ran. */
function LeftAlone({ path, step }: StepProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="left-alone">
      <p className="faint">Step {step} left it alone.</p>
      {isOpen ? (
        <SourceLines path={path} step={step} />
      ) : (
        <TextButton name="Show the lines that ran" onClick={() => setOpen(true)} />
      )}
    </div>
  );
}

type EntryProps = Readonly<{ entry: HistoryEntry; path: string; isSelected: boolean }>;

function Entry({ entry: { row, before, after, appended }, path, isSelected }: EntryProps) {
  const { navigate } = useInspector();
  return (
    <li className="history-entry" data-entry={row.step}>
      <button
        type="button"
        className="history-button"
        aria-current={isSelected ? 'step' : undefined}
        onClick={() => navigate.go(row.step)}
      >
        <span className="facts">
          <span>Step {row.step}</span>
          <span className="faint">{formatTime(row.t)}</span>
          <span>{row.updateKind ?? row.actionType ?? row.kind}</span>
          {row.update !== undefined && <span className="faint">update {row.update}</span>}
          <span className="faint">record {row.record}</span>
        </span>
        <span className="values">
          {appended === undefined ? (
            <>
              <del>{before}</del>
              <ins>{after}</ins>
            </>
          ) : (
            <span className="appended">
              <span className="faint">{appended.end}</span>
              <ins>{appended.added}</ins>
            </span>
          )}
        </span>
      </button>
      {isSelected && <SourceLines path={path} step={row.step} />}
    </li>
  );
}

function SourceLines({ path, step }: StepProps) {
  const inspector = useInspector();
  const branch = useInspectorState((state) => state.branch);
  const found = useLoaded(inspector, () => inspector.history.linesOf(path, step), [branch, path, step]);
  if (found === undefined) return <output className="empty">Looking for the lines of source…</output>;
  if ('problem' in found) return <p className="empty">{found.problem}</p>;
  const { of, lines } = found;
  const heading =
    of === 'difference'
      ? 'Ran in this step, and not in the last one of its kind that left the value alone'
      : 'All lines that ran in this step: no step of its kind that left the value alone ran others';
  return (
    <section className="source-lines" aria-label="Lines of source">
      <h3>{heading}</h3>
      {lines.length === 0 && <p className="empty">No line of the app ran.</p>}
      {byFile(lines).map(([file, ran]) => (
        <table key={file}>
          <caption>{file}</caption>
          <tbody>
            {ran.map(({ line, function: name, text }) => (
              <tr key={line}>
                <th scope="row">{line}</th>
                <td>
                  <code>{text}</code>
                </td>
                <td className="faint">{name}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}

/** Groups lines by file, in their order. */
function byFile(lines: readonly SourceLine[]): [file: string, lines: readonly SourceLine[]][] {
  const files = new Map<string, SourceLine[]>();
  for (const line of lines) files.set(line.file, [...(files.get(line.file) ?? []), line]);
  return [...files];
}
