export function createSbom(root: string): { serialNumber: string };
