export function conformance(root: string): { markdown: string; faults: string[] };
