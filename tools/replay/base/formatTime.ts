/** Formats milliseconds as `m:ss.mmm`, from one hour as `h:mm:ss.mmm`. */
export function formatTime(ms: number): string {
  const whole = Math.round(ms);
  const [hours, minutes] = [Math.floor(whole / 3_600_000), Math.floor(whole / 60_000) % 60];
  const seconds = `${two(Math.floor(whole / 1000) % 60)}.${String(whole % 1000).padStart(3, '0')}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

const two = (n: number) => String(n).padStart(2, '0');
