export function checkShape(
  root?: string,
  options?: { write?: boolean; raise?: boolean; leastModules?: number },
): { output: string; faults: string[] };
