/** `@parley/replay/record`: records the frames of an app inside the app, in a browser or in Node. It imports no packages. */
export {
  type CaptureStream,
  type Recorder,
  type RecorderOptions,
  createRecorder,
} from './recorder/createRecorder.ts';
export type { RecordedAction } from './recorder/mask.ts';
export type { WebSocketClass } from './recorder/recordedWebSocket.ts';
export type { ActionFilter, RecorderMiddleware } from './recorder/recordingMiddleware.ts';
export type { EventSourceClass } from './recorder/recordedEventSource.ts';
export type { FetchFunction } from './recorder/recordedFetch.ts';
