/**
 * The limits of spec §8, and those that the contract adds. Each number is defined only here.
 * Times are in milliseconds and sizes in bytes, unless a docstring says otherwise.
 */

/** Outgoing text must be shorter than this, in UTF-16 units (`.length`). */
export const TEXT_LENGTH = 250;
/** An outgoing file must be smaller than this. */
export const FILE_BYTES = 1_000_000;
/** Interval between pings. The first ping follows this long after the connection opens. */
export const PING_INTERVAL_MS = 1000;
/** Delay between a close with an empty reason and the next connection attempt. */
export const RECONNECT_DELAY_MS = 500;
/** Interval between ticks, counted from the session's launch. Each tick releases one update. */
export const QUEUE_TICK_MS = 100;
/** Delay between the last input and the validation and submission of the form. */
export const FORM_DEBOUNCE_MS = 2000;
/** Maximum length of a recording. A recording that reaches it is stopped and sent. */
export const RECORDING_MS = 15_000;
/** A playback ends this long after the last audio write. */
export const PLAYBACK_IDLE_MS = 500;
export const PASSWORD_LENGTH = { min: 6, max: 16 } as const;
export const NAME_LENGTH = { min: 5, max: 30 } as const;
/** Maximum number of characters in an email address (RFC 3696, errata 1690). */
export const EMAIL_LENGTH = 320;
/** Maximum length of a form field that main accepts from a window, in UTF-16 units. */
export const CREDENTIAL_LENGTH = 10_000;
/** Maximum length of an outgoing file's name, in UTF-16 units. File systems allow 255. */
export const FILE_NAME_LENGTH = 1024;
/** Maximum length of a text in a window's state, in UTF-16 units; longer texts are cut (a draft, a field, an alert, a file's name). */
export const STATE_TEXT_LENGTH = 10_000;
/** Maximum length of the address of the assistant's endpoint, and of the name of its model, in UTF-16 units. */
export const ASSISTANT_NAME_LENGTH = 1000;
/** Maximum length of the key of the assistant's endpoint, in UTF-16 units. */
export const ASSISTANT_KEY_LENGTH = 4000;
/** Maximum length of the instructions for the assistant, in UTF-16 units. */
export const ASSISTANT_PROMPT_LENGTH = 10_000;
/** Maximum number of models of an endpoint that the settings offer. */
export const ASSISTANT_MODELS = 200;
/** Timeout of the test of the assistant's settings. */
export const ASSISTANT_TEST_MS = 15_000;
/** Maximum size of one `encode` request: several times a file or a recording. */
export const ENCODE_BYTES = 8 * 1024 * 1024;

/** A connection is terminated when the peer is silent for this long (contract §5). */
export const PEER_SILENCE_MS = 10_000;
/** Timeout of a sign-in request. */
export const SIGN_IN_TIMEOUT_MS = 15_000;
/** The socket is paused while waiting updates occupy more memory than this. It resumes at half. */
export const QUEUE_BYTES = 64 * 1024 * 1024;
/** Maximum size of an incoming frame. A larger frame closes the connection. */
export const FRAME_BYTES = 320 * 1024 * 1024;
/** Maximum nesting of a frame; a deeper frame is rejected. The frame's own object is level 1 (contract §5). */
export const FRAME_DEPTH = 200;
/** Maximum number of values and keys in a frame; they occupy up to 1 GB. Without it, the largest frame occupies over 10 GB. */
export const FRAME_VALUES = 10_000_000;
/** Messages are refused while more than this waits to be sent to the platform, or to be written by the built-in platform. */
export const OUTGOING_BYTES = 32 * 1024 * 1024;
/** Minimum number of waiting updates for the backlog to be shown: their ticks take 2 s. */
export const BACKLOG_FROM = 20;
/** Minimum interval between two reports of the backlog to the windows. */
export const BACKLOG_MS = 1000;
/** Interval of the heartbeat, with which main sends the last sequence number to its windows. */
export const HEARTBEAT_MS = 2000;
/** Maximum number of values in one message of a page: several times that of a window's largest state. */
export const MESSAGE_VALUES = 1000;
/** Messages that a window may send at once, and per second after that: more than a person, or a key that is held, causes. */
export const MESSAGE_RATE = { burst: 1000, perSecond: 100 } as const;
/**
 * Length that a window may report about itself at once, and per second after that, in characters: typing reports the whole draft with each key, about 4,000
 * characters a second. Captures contain it.
 */
export const WINDOW_STATE_RATE = { burst: 1024 * 1024, perSecond: 32 * 1024 } as const;
/** Changes of one window (focus, minimized and so on) that are recorded at once, and per second after that. */
export const WINDOW_RATE = { burst: 100, perSecond: 10 } as const;
/** Sessions that can be saved at once, and per second after that. */
export const SAVE_RATE = { burst: 20, perSecond: 1 / 60 } as const;
/** Total size of the sessions that can be saved at once, and per second after that: each one has up to several times `CAPTURE_RING_BYTES`. */
export const SAVE_BYTES_RATE = { burst: 256 * 1024 * 1024, perSecond: 256 * 1024 } as const;
/** Length of the state and of the parts of the conversation that a window can fetch at once, and per second after that, in characters: more than most conversations have. */
export const STATE_RATE = { burst: 512 * 1024 * 1024, perSecond: 32 * 1024 * 1024 } as const;
/** What each request for the state or a part counts at least, in characters. */
export const STATE_REQUEST_LENGTH = 16 * 1024;
/** Requests of a window for the state and parts that can wait: a window, and the page that it had before a reload, have two each. */
export const STATE_REQUESTS = 8;
/** Snapshots that a page can request at once, and per second after that; further requests wait. Parley's own page requests none. */
export const SNAPSHOT_RATE = { burst: 3, perSecond: 1 / 10 } as const;
/** Size of the files and recordings that a window can encode at once, and per second after that. */
export const ENCODE_RATE = { burst: 64 * 1024 * 1024, perSecond: 8 * 1024 * 1024 } as const;
/** Files and recordings of a window that can wait to be encoded: a window sends one after the other. */
export const ENCODE_REQUESTS = 8;
/** Tests of the assistant's settings at once, and per second after that; the same for saves. */
export const ASSISTANT_RATE = { burst: 10, perSecond: 1 / 6 } as const;
/** What each report counts in addition to its own length, in characters: that of its record. */
export const WINDOW_STATE_ACTION_LENGTH = 100;
/** Conversations with more messages than this are virtualised (contract §3). */
export const MESSAGES_IN_DOCUMENT = 200;
/** Maximum delay before a record is written to the capture file (contract §6: at least each second). */
export const CAPTURE_FLUSH_MS = 500;
/** Length of the records that wait for the end of a write, in characters, from which on the socket is not read. */
export const CAPTURE_PAUSE_BYTES = 32 * 1024 * 1024;
/** Time for which the socket is not read without any progress of the disk. Then the capture's file counts as failed. */
export const CAPTURE_STALL_MS = 10_000;
/** Maximum length of the records that wait for a capture file that cannot be written, in characters. More are dropped. */
export const CAPTURE_WAITING_BYTES = 64 * 1024 * 1024;
/** Delay before the first retry of a failed capture write. It doubles with each retry, up to `CAPTURE_MAX_RETRY_MS`. */
export const CAPTURE_RETRY_MS = 1000;
export const CAPTURE_MAX_RETRY_MS = 60_000;
/** Maximum size of the records that are kept in memory for "Save this session". */
export const CAPTURE_RING_BYTES = 16 * 1024 * 1024;
/** Time at quit for files that are still being written. */
export const CAPTURE_QUIT_MS = 1000;
/** A start counts as successful after this time. */
export const START_SETTLED_MS = 30_000;
/** A start also counts as successful this long after the first update was applied. */
export const START_APPLIED_MS = 3000;
/** Maximum length of the frames that are kept of a failed start, in characters. */
export const START_CAPTURE_BYTES = 128 * 1024 * 1024;
/** Minimum interval between two writes of the preferences. */
export const PREFERENCES_WRITE_MS = 1000;
/** A scroll, a resize and a zoom of the viewer rest when nothing has changed for this time; only then are they actions. */
export const REST_MS = 300;
/** A window's position is stored when the window has not moved for this long. */
export const BOUNDS_SETTLED_MS = 500;
/** Timeout of the ping that follows the machine's sleep. Without a pong the connection is replaced. */
export const RESUME_PONG_MS = 1000;
/** Number of the newest messages whose arrivals are kept over a restart. */
export const KEPT_ARRIVALS = 10_000;
/** Messages with longer ids are not among them. In UTF-16 units. */
export const KEPT_ID_LENGTH = 200;
/** The arrivals are written this long after the first one that is not written. */
export const ARRIVALS_WRITE_MS = 60_000;
/** Maximum size of the log file; then it is rotated. */
export const LOG_BYTES = 10_000_000;
/** Number of log files that are kept, including the current one. */
export const LOG_FILES = 3;
/** Number of log lines in the diagnostics. */
export const DIAGNOSTIC_LINES = 50;
/** Length of the first part of a conversation that a window receives, in characters of JSON: more than a screen shows. */
export const NEWEST_PART_LENGTH = 256 * 1024;
/** Length of each further part that a window fetches, in characters of JSON. */
export const PART_LENGTH = 1024 * 1024;
/**
 * Maximum length of a message or update that is sent to a window, in characters of JSON. A window receives a notice in place of a
 * longer one: where characters must be escaped, some millions take seconds, and the process crashes at 67 million.
 */
export const WINDOW_MESSAGE_LENGTH = 16 * 1024 * 1024;
/** Maximum total length of the blobs that a part refers to, in characters of base64: each blob is hashed. */
export const PART_BLOBS_LENGTH = 16 * 1024 * 1024;
/** Maximum length of a blob within a part, in characters of base64. A window fetches a longer blob when it shows it. */
export const INLINE_BLOB_LENGTH = 16 * 1024;
/** Longer markup is shown on request only. In UTF-16 units. */
export const HTML_LENGTH = 200_000;
/** Markup with more nodes than this (elements, attributes, texts and comments) is shown on request only. */
export const HTML_NODES = 3000;
/** Markup that is nested deeper than this is shown on request only. A browser's own limit is 512. */
export const HTML_DEPTH = 200;
/** Markup that takes longer to parse is shown on request only. Markup under the other limits takes less time. */
export const HTML_PARSE_MS = 1000;
/** Maximum number of places (rows × columns) in the tables of markup whose cells cover more than one. */
export const HTML_CELLS = 100_000;
/** Maximum number of cells in the tables of an answer: a browser lays out a table at once. */
export const ANSWER_CELLS = 10_000;
/** Maximum time that one task spends on markup; the rest follows in later tasks. */
export const HTML_SLICE_MS = 30;
/** Larger SVG documents are shown as files. */
export const SVG_BYTES = 1_000_000;
/** SVG documents that cost more than this are shown as files: their elements and characters, with all that they repeat (`isCheapSvg`). */
export const SVG_COST = 5000;
/** Images with more pixels than this are shown as files. Cameras have fewer. */
export const IMAGE_PIXELS = 128_000_000;
