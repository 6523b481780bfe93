import { type KeyObject, randomBytes, sign } from 'node:crypto';

/** One element of DER. */
export function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const bits = (content: Buffer): Buffer => der(3, Buffer.from([0]), content);
export const oid = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'));
/** A name whose parts stand in one set. */
const nameOf = (...names: string[]): Buffer =>
  sequence(der(0x31, ...names.map((name) => sequence(oid('550403'), der(0x0c, Buffer.from(name))))));
export const extension = (hex: string, value: Buffer): Buffer => sequence(oid(hex), der(4, value));
/** A name in the DNS, as certificates have them. */
export const dnsName = (name: string): Buffer => der(0x82, Buffer.from(name));

/** So many bits, of which the first is not set: below every number whose first is. */
export function randomNumber(length: number): Buffer {
  const number = randomBytes(length / 8);
  number[0] = 0x3f;
  number[number.length - 1] = 0x3d;
  return number;
}

/** A public key of RSA with a modulus of so many bits that nobody has the other half of. */
export function madeUpKey(modulusBits: number, exponent: Buffer): Buffer {
  const modulus = Buffer.concat([Buffer.from([0, 0x80]), randomNumber(modulusBits - 8)]);
  return sequence(
    sequence(oid('2a864886f70d010101'), der(5)),
    bits(sequence(der(2, modulus), der(2, exponent))),
  );
}

export interface Shown {
  issuer: string | string[];
  subject: string;
  /** In DER. */
  key: Buffer;
  extensions?: Buffer[];
  /** Without one the signature is made up, of as many bits as the issuer's key has. */
  signer: KeyObject | number;
}

/** A certificate in PEM, signed or seemingly so with RSA and SHA-256. */
export function certificate({ issuer, subject, key, extensions = [], signer }: Shown): string {
  const algorithm = sequence(oid('2a864886f70d01010b'), der(5));
  const validity = sequence(
    ...['20200101000000Z', '20490101000000Z'].map((time) => der(0x18, Buffer.from(time))),
  );
  const signed = sequence(
    ...[der(0xa0, der(2, Buffer.from([2]))), der(2, randomNumber(64)), algorithm],
    ...[nameOf(...[issuer].flat()), validity, nameOf(subject), key],
    der(0xa3, sequence(...extensions)),
  );
  const signature = typeof signer === 'number' ? randomNumber(signer) : sign('sha256', signed, signer);
  const text = sequence(signed, algorithm, bits(signature)).toString('base64');
  const lines = text.match(/.{1,64}/g)?.join('\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

export const AUTHORITY = extension('551d13', sequence(der(1, Buffer.from([255]))));
export const namesOf = (...names: string[]): Buffer => extension('551d11', sequence(...names.map(dnsName)));
