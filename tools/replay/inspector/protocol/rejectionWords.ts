import type { FrameError } from '#shared/protocol/decodeUpdate.ts';

const REASONS: Readonly<Record<FrameError['reason'], string>> = {
  notText: 'not text',
  tooDeep: 'nested too deep',
  tooManyValues: 'too many values',
  notJson: 'not JSON',
  notAnObject: 'not an object',
  protoKey: 'a field named __proto__',
  wrongType: 'wrong type',
};

/** Why a frame is rejected, and at which field. */
export const rejectionWords = ({ reason, where }: FrameError): string =>
  `${REASONS[reason]}${where === undefined ? '' : ` at ${where}`}`;
