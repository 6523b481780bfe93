import { contentOf, contentsOf, elementsOf, Unreadable } from './der';

/** How many certificates a server may show, and their bytes: most show two to four, with 3 to 6 KB. */
const MOST = 10;
const MOST_BYTES = 16 * 1024;
/** Of RSA keys. To check a signature takes the square of the one times the other. */
const MODULUS_BITS = 8_192;
const EXPONENT_BITS = 32;
/** Every name of a certificate is compared with every constraint of those above it. */
const CONSTRAINTS_BY_BYTES = 2 ** 20;

const [INTEGER, BIT_STRING, OCTET_STRING, OID, SEQUENCE] = [0x02, 0x03, 0x04, 0x06, 0x30] as const;
/** Context-specific and constructed. */
const numbered = (number: number): number => 0xa0 | number;

/** Object identifiers in DER. */
const RSA = ['2a864886f70d010101', '2a864886f70d01010a'];
const EC = '2a8648ce3d0201';
const CURVES = ['2a8648ce3d030107', '2b81040022', '2b81040023'];
const EDWARDS = ['2b6570', '2b6571'];
const NAME_CONSTRAINTS = '551d1e';
const DISTRIBUTION_POINTS = '551d1f';
/** Parts of a name: usual ones have three to eight. */
const MOST_PARTS = 64;

/**
 * Whether the certificates that a server shows can be checked in a time that their size tells. Only keys of usual kinds
 * and sizes are: OpenSSL checks all signatures, also where nobody trusts the certificates, and a modulus and an exponent
 * of 3,072 bits take it 10 ms. Throws `Unreadable`.
 */
export function areCheap(certificates: readonly Buffer[]): boolean {
  const bytes = certificates.reduce((sum, { length }) => sum + length, 0);
  if (certificates.length > MOST || bytes > MOST_BYTES) return false;
  let constraints = 0;
  for (const certificate of certificates) {
    const { key, names, extensions } = partsOf(certificate);
    if (!isCheapKey(key) || names.some((name) => partsIn(name) > MOST_PARTS)) return false;
    const read = readExtensions(extensions);
    if (read.hasRelativeNames) return false;
    constraints += read.constraints;
  }
  return constraints * bytes <= CONSTRAINTS_BY_BYTES;
}

/** RFC 5280 §4.1 */
function partsOf(certificate: Buffer): { key: Buffer; names: Buffer[]; extensions: Buffer | undefined } {
  const [signed] = contentsOf(contentOf(certificate, SEQUENCE), SEQUENCE) as [Buffer];
  const fields = [...elementsOf(signed)];
  // Certificates of version 1 do not tell their version.
  if (fields[0]?.tag === numbered(0)) fields.shift();
  const [serial, signature, issuer, validity, subject, key, ...others] = fields;
  if (serial?.tag !== INTEGER || key === undefined) throw new Unreadable();
  if (issuer === undefined || subject === undefined) throw new Unreadable();
  if ([signature, issuer, validity, subject, key].some((field) => field?.tag !== SEQUENCE))
    throw new Unreadable();
  const extensions = others.find(({ tag }) => tag === numbered(3))?.content;
  return { key: key.content, names: [issuer.content, subject.content], extensions };
}

/** Of a name, whose parts stand in sets (RFC 5280 §4.1.2.4). */
const partsIn = (name: Buffer): number =>
  [...elementsOf(name)].reduce((sum, { content }) => sum + [...elementsOf(content)].length, 0);

function isCheapKey(key: Buffer): boolean {
  const [algorithm, bits] = contentsOf(key, SEQUENCE, BIT_STRING) as [Buffer, Buffer];
  const [kind] = contentsOf(algorithm, OID) as [Buffer];
  const name = kind.toString('hex');
  if (RSA.includes(name)) {
    // The first byte tells how many bits of the last are none.
    const [modulus, exponent] = contentsOf(contentOf(bits.subarray(1), SEQUENCE), INTEGER, INTEGER) as [
      Buffer,
      Buffer,
    ];
    return bitsOf(modulus) <= MODULUS_BITS && bitsOf(exponent) <= EXPONENT_BITS;
  }
  if (EDWARDS.includes(name)) return true;
  if (name !== EC) return false;
  // A curve that a certificate describes itself is a SEQUENCE here.
  const [, parameters] = [...elementsOf(algorithm)];
  return parameters?.tag === OID && CURVES.includes(parameters.content.toString('hex'));
}

/** How long a number is, up to a byte more; a sign adds one. */
const bitsOf = (number: Buffer): number => 8 * (number[0] === 0 ? number.length - 1 : number.length);

/**
 * How many name constraints they hold (RFC 5280 §4.2.1.10), and whether a place of revocation lists is told as a part of
 * the issuer's name (§4.2.1.13, which advises against it): OpenSSL makes a copy of that name for each.
 */
function readExtensions(extensions: Buffer | undefined): { constraints: number; hasRelativeNames: boolean } {
  const found = { constraints: 0, hasRelativeNames: false };
  if (extensions === undefined) return found;
  for (const extension of elementsOf(contentOf(extensions, SEQUENCE))) {
    const [name, ...others] = elementsOf(extension.content);
    const id = name?.tag === OID ? name.content.toString('hex') : '';
    if (id !== NAME_CONSTRAINTS && id !== DISTRIBUTION_POINTS) continue;
    const value = others.find(({ tag }) => tag === OCTET_STRING);
    if (value === undefined) throw new Unreadable();
    const list = contentOf(value.content, SEQUENCE);
    if (id === DISTRIBUTION_POINTS) found.hasRelativeNames ||= hasRelativeName(list);
    // Permitted and excluded subtrees.
    else for (const { content } of elementsOf(list)) found.constraints += [...elementsOf(content)].length;
  }
  return found;
}

function hasRelativeName(points: Buffer): boolean {
  for (const point of elementsOf(points)) {
    const place = [...elementsOf(point.content)].find(({ tag }) => tag === numbered(0));
    // The other kind of place is a list of names (`fullName`).
    if (place !== undefined && [...elementsOf(place.content)].some(({ tag }) => tag !== numbered(0)))
      return true;
  }
  return false;
}
