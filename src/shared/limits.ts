/**
 * Every number of spec §8, and the few that the contract adds, once.
 * Times are milliseconds, sizes bytes unless the name says otherwise.
 */

/** Typed outgoing text has fewer characters (`.length`) than this. */
export const TEXT_LENGTH = 250;
/** A dropped or picked file is smaller than this. */
export const FILE_BYTES = 1_000_000;
/** Keep-alive: the first ping is this long after opening, then one each. */
export const PING_INTERVAL_MS = 1000;
/** From a close with an empty reason to the next connection. */
export const RECONNECT_DELAY_MS = 500;
/** One update a tick; ticks are multiples of this since the session's launch. */
export const QUEUE_TICK_MS = 100;
/** Quiet after the last input before the form is checked and submitted. */
export const FORM_DEBOUNCE_MS = 2000;
/** A recording that nobody stops stops so long after its start, and is sent. */
export const RECORDING_MS = 15_000;
/** A playback is over so long after the last audio write. */
export const PLAYBACK_IDLE_MS = 500;
export const PASSWORD_LENGTH = { min: 6, max: 16 } as const;
export const NAME_LENGTH = { min: 5, max: 30 } as const;
/** Maximum number of characters in an email address (RFC 3696, errata 1690). */
export const EMAIL_LENGTH = 320;
/** A window that submits a longer text in a field of the form is refused. */
export const CREDENTIAL_LENGTH = 10_000;
/** The longest name of a file that is sent, in characters; systems allow 255. */
export const FILE_NAME_LENGTH = 1024;
/** The most that a window encodes to base64 at once: a file or a recording many times over. */
export const ENCODE_BYTES = 8 * 1024 * 1024;

/** A peer silent for this long is cut (contract §5). */
export const PEER_SILENCE_MS = 10_000;
/** Sign-in without an answer for this long has failed. */
export const SIGN_IN_TIMEOUT_MS = 15_000;
/** While the waiting updates occupy more memory than this, the socket is paused, until half is released. */
export const QUEUE_BYTES = 64 * 1024 * 1024;
/** A frame larger than this is not read at all. */
export const FRAME_BYTES = 320 * 1024 * 1024;
/** A frame whose arrays and objects are nested deeper is rejected; its own object is level 1 (contract §5). */
export const FRAME_DEPTH = 200;
/** A frame with more values and keys is rejected: this many occupy less than 1 GB, those of the largest frame over 10 GB. */
export const FRAME_VALUES = 10_000_000;
/** While more than this is waiting to be sent to the platform, or for the built-in platform's disk, further messages are refused. */
export const OUTGOING_BYTES = 32 * 1024 * 1024;
/** A backlog of fewer waiting updates than this is not shown: they take less than 2 s. */
export const BACKLOG_FROM = 20;
/** The windows learn how long the backlog is at most this often. */
export const BACKLOG_MS = 1000;
/** Main tells its windows the last action's number this often. */
export const HEARTBEAT_MS = 2000;
/** Conversations with more messages than this are virtualised (contract §3). */
export const MESSAGES_IN_DOCUMENT = 200;
/** What is recorded is on its way to the file this much later at most (contract §6: at least each second). */
export const CAPTURE_FLUSH_MS = 500;
/** When more than this has gathered for a file that cannot be written, in characters, it is dropped. */
export const CAPTURE_WAITING_BYTES = 64 * 1024 * 1024;
/** A capture that cannot be written is tried again after this, then after twice the time each, up to the maximum. */
export const CAPTURE_RETRY_MS = 1000;
export const CAPTURE_MAX_RETRY_MS = 60_000;
/** How much of a session is kept in memory, to be saved on request. */
export const CAPTURE_RING_BYTES = 16 * 1024 * 1024;
/** At the program's end so much time is given to the files that are still being written. */
export const CAPTURE_QUIT_MS = 1000;
/** A start that ran for so long has not failed. */
export const START_SETTLED_MS = 30_000;
/** Nor has one that ran for so long after the first update was applied. */
export const START_APPLIED_MS = 3000;
/** The most characters that are kept of what a failed start received. */
export const START_CAPTURE_BYTES = 128 * 1024 * 1024;
/** A window's new place is kept when it was not moved for so long. */
export const PLACE_SETTLED_MS = 500;
/** After the machine's sleep the platform has so long to answer a ping; else the connection is replaced. */
export const WAKE_PONG_MS = 1000;
/** The log file is rotated before it is larger than this. */
export const LOG_BYTES = 10_000_000;
/** How many log files are kept, with the newest. */
export const LOG_FILES = 3;
/** So many of the log's last lines are in the diagnostics. */
export const DIAGNOSTIC_LINES = 50;
/** The first part of a conversation that a window receives: more than a screen shows. Characters of JSON. */
export const NEWEST_PART_LENGTH = 256 * 1024;
/** Each further part that a window fetches. Characters of JSON. */
export const PART_LENGTH = 1024 * 1024;
/**
 * A message or an update whose JSON is longer reaches a window as a notice: the bridge escapes characters, which takes
 * seconds for some millions, and the process ends at 67 million.
 */
export const WINDOW_MESSAGE_LENGTH = 16 * 1024 * 1024;
/** A part refers to no more blobs than this, for each is hashed. Characters of base64. */
export const PART_BLOBS_LENGTH = 16 * 1024 * 1024;
/** A longer blob stays in main, and a window fetches it when it shows it. Characters of base64. */
export const INLINE_BLOB_LENGTH = 16 * 1024;
/** Markup of a content item that is longer than this, in UTF-16 units, is shown on request only. */
export const HTML_LENGTH = 200_000;
/** Markup of which a browser makes more nodes than this (elements, attributes, texts and comments) is shown on request only. */
export const HTML_NODES = 3000;
/** Markup that is nested deeper than this is shown on request only. A browser's own limit is 512. */
export const HTML_DEPTH = 200;
/** Markup that is not parsed within this time is shown on request only: a last resort, since what is under the other limits takes less. */
export const HTML_PARSE_MS = 1000;
/** Markup is shown at once while the current task has spent less than this on markup; the rest follows in later tasks. */
export const HTML_SLICE_MS = 30;
