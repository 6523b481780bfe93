const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A number in so many bits. */
export const number = (value: number, length: number): string => value.toString(2).padStart(length, '0');

/** Whole bytes, then whole characters, in base64url without padding: as the IAB's own libraries write bits. */
export function text(bits: string): string {
  const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  let result = '';
  for (let at = 0; at < whole.length; at += 6)
    result += ALPHABET[Number.parseInt(whole.slice(at, at + 6).padEnd(6, '0'), 2)];
  return result;
}
