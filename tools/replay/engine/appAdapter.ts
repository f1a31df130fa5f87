/**
 * What the replay tool needs to replay the frames of an app other than Parley. The module of an adapter exports it as `adapter`, or as its default.
 *
 * The state and the display are plain data (JSON): objects, lists, strings, numbers, booleans and `null`. All functions are pure: the same
 * arguments give the same result, and the arguments stay unchanged.
 */
export interface AppAdapter<State = unknown, Update = unknown> {
  /** The app's name, in reports and goldens. */
  readonly name: string;
  /** Decodes a received frame: a string, or the bytes of a binary frame. A frame that the app does not accept is rejected, with a reason of a few words. */
  decode(data: string | Uint8Array): DecodedFrame<Update>;
  /** Returns the kind of an update, which reports show. */
  kind(update: Update): string;
  /** The state before the first frame. */
  readonly initialState: State;
  /** Returns the state after an update. An update that returns the same reference counts as ignored. */
  reduce(state: State, update: Update): State;
  /**
   * Returns the time at which an update leaves the app's queue, at the earliest `receivedAt`. `previous` is the time of the update before it, 0 for the
   * first. All times are in milliseconds since the launch, or since the start of a capture without a launch. Without this function the app has no
   * queue: each update is applied when it is received.
   */
  tick?(receivedAt: number, previous: number): number;
  /** Returns the state after an action: of an `action` record, and `connection/opened` and `connection/closed` of the socket. */
  reduceAction?(state: State, action: AppAction): State;
  /** Describes what a recorded action contains, for the inspector's list of steps. Without it, the list shows the payload as JSON. */
  describeAction?(action: AppAction): DescribedAction;
  /** Returns what people see of a state. Goldens contain its changes, and the inspector shows it. */
  display?(state: State): unknown;
  /**
   * The path of a module that draws the app in the inspector's page, relative to the adapter's module: it exports a {@link Pane} as `pane`, and
   * may export the text of a style sheet as `styles`. Without it, the inspector shows what `display` returns.
   */
  readonly pane?: string;
  /** What `redact` keeps of the frames. Without it, `redact` replaces every text. */
  readonly redact?: RedactionRules;
}

/**
 * Draws a state of the app into an element of the inspector's page. It is called again with the same element for each step that is shown. The
 * element is in a shadow root, so that the styles of the page and of the app do not meet.
 */
export type Pane<State = unknown> = (element: HTMLElement, state: State) => void;

/** A frame after its decoding. `where` is the path of the field that is wrong. */
export type DecodedFrame<Update> =
  | { readonly update: Update }
  | { readonly rejected: string; readonly where?: string };

/** An action of the app, or of its socket: `connection/closed` has `{ code, reason }` as its payload. */
export interface AppAction {
  readonly type: string;
  readonly payload?: unknown;
}

/**
 * What an action contains: `text` on one line, empty when it has nothing beside its type. An action that edits the text of a field names the `field`: the
 * inspector shows consecutive edits of one field as one row.
 */
export interface DescribedAction {
  readonly text: string;
  readonly field?: string;
}

/** Which texts `redact` keeps because they are not personal. */
export interface RedactionRules {
  /** The names of fields, at any depth, whose texts stay when they are one word, or words that programs join: kinds, columns, states. */
  readonly codes: readonly string[];
  /** Returns further such names for the actions of a type. */
  codesOf?(actionType: string): readonly string[];
  /** Returns a parsed frame in the form in which two values that the app takes for the same have the same text. It may change the frame. */
  normalize?(frame: unknown): unknown;
}
