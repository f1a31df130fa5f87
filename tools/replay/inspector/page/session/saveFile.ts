/** Downloads a file. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun when the click is over; its address may go once the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
