import { der } from './ber';

// A response of RFC 3161 that nobody has signed, for what reads its facts.

const oid = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'));
const integer = (value: number): Buffer => der(2, Buffer.of(value));
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);

const SIGNED_DATA = '2a864886f70d010702';
const TST_INFO = '2a864886f70d0109100104';
export const SHA_256 = '608648016503040201';
export const SHA_512 = '608648016503040203';

/** @param time such as `20260304050607.5Z` */
export function timeStampResponse(imprint: Buffer, time: string, algorithm = SHA_256, status = 0): Buffer {
  const info = sequence(
    integer(1),
    oid('2a030401'),
    sequence(sequence(oid(algorithm), der(5)), der(4, imprint)),
    integer(7),
    der(0x18, Buffer.from(time)),
  );
  const content = sequence(oid(TST_INFO), der(0xa0, der(4, info)));
  const signed = sequence(integer(3), der(0x31, sequence(oid(algorithm))), content, der(0x31));
  return sequence(sequence(integer(status)), sequence(oid(SIGNED_DATA), der(0xa0, signed)));
}
