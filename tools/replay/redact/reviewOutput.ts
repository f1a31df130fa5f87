/** The advice after every redaction. */
export const REVIEW_OUTPUT =
  'Numbers, times, categories and field names are unchanged: review the output before you share it.\n';
