const pad = (number: number, width: number) => String(number).padStart(width, '0');

/**
 * Formats a time or a duration of the session, in milliseconds, as every part of the inspector shows it: in seconds, to the
 * millisecond: `1.230`, `2:03.400` or `1:02:03.400`.
 */
export function formatTime(ms: number): string {
  const whole = Math.round(ms);
  const seconds = Math.floor(whole / 1000);
  const rest = `.${pad(whole % 1000, 3)}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}${rest}`;
  if (minutes < 60) return `${minutes}:${pad(seconds % 60, 2)}${rest}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60, 2)}:${pad(seconds % 60, 2)}${rest}`;
}
