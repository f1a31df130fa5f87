export function writeActions(
  root: string,
  isCheck: boolean,
  load: (name: string) => Promise<unknown>,
): Promise<string[]>;
