import { inLine } from '../../../testing/drawText.ts';
import type { InspectorModel } from '../inspectorModel.ts';
import { runTask } from '../trace/task.ts';

/** What a person can choose beside the default: a window, or that of the step's action when there is one. */
const CHOSEN = [{ window: 1 }, { window: 2 }, { window: 1, isActPreferred: true }];

/** Draws all that the panes show of a session: its description, its timeline, and each listed step with what it changed. */
export function drawSession({ quick, long, info }: InspectorModel): string {
  runTask(long.filter({ filter: { openEdits: [] } }));
  const { connection, errors, ...series } = quick.timeline({ from: 5, to: info.duration + 10, columns: 24 });
  const { header: _header, ...described } = info;
  const lines = [inLine(described), inLine(connection), inLine(errors)];
  lines.push(...Object.entries(series).map(([name, counts]) => `${name}: ${String(counts)}`));
  for (const row of [{ step: 0, summary: '' }, ...quick.rows({ from: 0, to: info.steps })]) {
    const viewOf = (chosen: object = {}) => quick.view({ step: row.step, ...chosen });
    const { diff, wire, waiting, editable, parley, app, ...shown } = viewOf();
    const { number, isVisible, state } = parley?.window ?? {};
    const { view, textBox, scroll } = state?.own ?? {};
    const chosen = CHOSEN.map((choice) => viewOf(choice).parley?.window.number);
    const parts = {
      wire: wire?.direction === 'none' || wire?.text === row.summary ? undefined : wire?.text,
      rejection: wire?.rejection,
      // The places of the calls are those of the machine.
      failure: (shown.failure ?? app?.failure)?.replaceAll(/\n +at .*/g, ''),
      notification: parley?.notification && inLine(parley.notification),
      window: state && inLine({ number, isVisible, chosen, view, textBox, ...scroll }),
    };
    lines.push(inLine({ ...row, waiting, editable }));
    for (const [name, part] of Object.entries(parts))
      if (part !== undefined) lines.push(`  ${name}: ${part}`);
    for (const { path, before, after } of diff) lines.push(`  ${path}: ${inLine(before)} → ${inLine(after)}`);
  }
  return lines.join('\n');
}

/** Draws the tree of the state after the last step, below a path. */
export function drawTree(model: InspectorModel, path = ''): string {
  const nodes = model.quick.children({ step: model.info.steps, path, from: 0, to: 99 });
  return nodes
    .map(
      (node) => `${node.path}: ${node.type} of ${node.size}, ${node.preview}\n${drawTree(model, node.path)}`,
    )
    .join('');
}
