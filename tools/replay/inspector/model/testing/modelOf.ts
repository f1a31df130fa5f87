import type { AppAdapter } from '../../../engine/appAdapter.ts';
import type { CaptureRecord } from '#shared/capture/format.ts';
import type { ParleyView, StepView } from '../../protocol/protocol.ts';
import { parleySession } from '../parleySession.ts';
import type { Session } from '../trace/session.ts';
import type { Trace } from '../trace/trace.ts';
import { traceLoader } from '../trace/traceLoader.ts';
import { type InspectorModel, inspectorModel } from '../inspectorModel.ts';
import { runTask } from '../trace/task.ts';
import { captureText } from './captureText.ts';

const encoder = new TextEncoder();

/** Loads a trace from the text of a capture, in pieces of `piece` bytes. */
export function traceOf(text: string, piece = Infinity): Trace {
  const loader = traceLoader('x');
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += piece) loader.take(bytes.slice(at, at + piece));
  return runTask(loader.settle());
}

/** Loads a session of Parley from the text of a capture. */
export const sessionOf = (text: string): Session => parleySession(traceOf(text));

/** Creates a model of the text of a capture. */
function modelOfText(text: string): InspectorModel {
  const loader = traceLoader('x');
  loader.take(encoder.encode(text));
  return runTask(inspectorModel(loader));
}

/** Creates a model of the text of a capture of another app. */
export function appModel(adapter: AppAdapter, text: string): InspectorModel {
  const loader = traceLoader('x', { adapter });
  loader.take(encoder.encode(text));
  return runTask(inspectorModel(loader));
}

/** Creates a model of records. */
export const modelOf = (records: readonly CaptureRecord[]): InspectorModel =>
  modelOfText(captureText(records));

/** Returns what Parley showed at a step. */
export function parleyAt(
  { quick }: InspectorModel,
  params: Parameters<InspectorModel['quick']['view']>[0],
): ParleyView & StepView {
  const view = quick.view(params);
  if (view.parley === undefined) throw new Error('The session is not one of Parley.');
  return { ...view, ...view.parley };
}
