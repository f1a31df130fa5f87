import type { FrameError, RejectReason } from '#shared/protocol/decodeUpdate.ts';

/** The reasons why a frame is rejected, in words. */
export const REJECT_REASONS: Readonly<Record<RejectReason, string>> = {
  notText: 'not text',
  tooDeep: 'nested too deep',
  tooManyValues: 'too many values',
  notJson: 'not JSON',
  notAnObject: 'not an object',
  protoKey: 'a field named __proto__',
  wrongType: 'wrong type',
  tooLarge: 'too large',
};

/** Says why a frame is rejected, and at which field. */
export const describeRejection = ({ reason, where }: FrameError): string =>
  `${REJECT_REASONS[reason]}${where === undefined ? '' : ` at ${where}`}`;
