export function checkSupply(root?: string): { faults: string[] };
