export function writeJsonPage(
  root: string,
  isCheck: boolean,
  load: (path: string) => Promise<unknown>,
): Promise<string[]>;
