import { inspect } from 'node:util';
import type { InspectorModel } from '../inspectorModel.ts';
import { runTask } from '../trace/task.ts';

const line = (value: unknown) => inspect(value, { breakLength: Infinity, compact: true, depth: 9 });

/** What a person can choose beside the default: a window, or that of the step's action when there is one. */
const CHOSEN = [{ window: 1 }, { window: 2 }, { window: 1, isActPreferred: true }];

/** Draws all that the panes show of a session: its description, its timeline, and each listed step with what it changed. */
export function drawSession({ quick, long, info }: InspectorModel): string {
  runTask(long.filter({ filter: { openEdits: [] } }));
  const rows = [{ step: 0, summary: '' }, ...quick.rows({ from: 0, to: info.steps })];
  const steps = rows.flatMap((row) => {
    const viewOf = (chosen: object = {}) => quick.view({ step: row.step, ...chosen });
    const { diff, wire, waiting, editable, parley, app, ...shown } = viewOf();
    const { number, isVisible, state } = parley?.window ?? {};
    const { view, textBox, scroll } = state?.own ?? {};
    const chosen = CHOSEN.map((choice) => viewOf(choice).parley?.window.number);
    const lines = {
      wire: wire?.direction === 'none' || wire?.text === row.summary ? undefined : wire?.text,
      rejection: wire?.rejection,
      // The places of the calls are those of the machine.
      failure: (shown.failure ?? app?.failure)?.replaceAll(/\n +at .*/g, ''),
      notification: parley?.notification,
      window: state && { number, isVisible, chosen, view, textBox, ...scroll },
      ...Object.fromEntries(
        diff.map(({ path, before, after }) => [path, `${line(before)} → ${line(after)}`]),
      ),
    };
    const written = Object.entries(lines).filter(([, value]) => value !== undefined);
    return [
      line({ ...row, waiting, editable }),
      ...written.map(([name, value]) => `  ${name}: ${typeof value === 'string' ? value : line(value)}`),
    ];
  });
  const { connection, errors, ...series } = quick.timeline({ from: 5, to: info.duration + 10, columns: 24 });
  const columns = Object.entries(series).map(([name, counts]) => `${name}: ${String(counts)}`);
  const { header: _header, ...described } = info;
  return [line(described), line(connection), line(errors), ...columns, ...steps].join('\n');
}

/** Draws the tree of the state after the last step. */
export function drawTree({ quick, info }: InspectorModel): string {
  const under = (path: string): string[] =>
    quick
      .children({ step: info.steps, path, from: 0, to: 99 })
      .flatMap((node) => [
        `${node.path}: ${node.type} of ${node.size}, ${node.preview}`,
        ...under(node.path),
      ]);
  return under('').join('\n');
}
