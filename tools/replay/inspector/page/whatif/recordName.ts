/** Returns what the page calls the record of an edit. */
export const recordName = (record: number): string =>
  record < 0 ? `inserted frame ${-record}` : `record ${record}`;
