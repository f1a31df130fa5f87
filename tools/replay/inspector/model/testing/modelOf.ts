import type { CaptureRecord } from '#shared/capture/format.ts';
import type { Course } from '../course.ts';
import { courseLoader } from '../courseLoader.ts';
import { type InspectorModel, inspectorModel } from '../inspectorModel.ts';
import { done } from '../task.ts';
import { captureText } from './captureText.ts';

const encoder = new TextEncoder();

/** A course loaded from a capture's text, in pieces of so many bytes. */
export function courseOf(text: string, piece = Infinity): Course {
  const loader = courseLoader('x');
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += piece) loader.take(bytes.slice(at, at + piece));
  return done(loader.settle());
}

/** A model of a capture's text. */
export function modelOfText(text: string): InspectorModel {
  const loader = courseLoader('x');
  loader.take(encoder.encode(text));
  return done(inspectorModel(loader));
}

export const modelOf = (records: readonly CaptureRecord[]): InspectorModel =>
  modelOfText(captureText(records));
