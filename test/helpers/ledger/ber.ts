// The same ASN.1 values in other forms than DER (X.690), as some time-stamp authorities write them.

export function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

/** Where the content of a value in DER begins, and where it ends. */
function bounds(bytes: Buffer): [from: number, to: number] {
  const first = bytes[1] as number;
  const count = first < 128 ? 0 : first - 128;
  const length = count === 0 ? first : bytes.readUIntBE(2, count);
  return [2 + count, 2 + count + length];
}

export const contentOf = (value: Buffer): Buffer => value.subarray(...bounds(value));

/** The values that follow each other in a content. */
export function partsOf(content: Buffer): Buffer[] {
  if (content.length === 0) return [];
  const [, end] = bounds(content);
  return [content.subarray(0, end), ...partsOf(content.subarray(end))];
}

/** A value of values, which ends by two zeroes. */
export const withoutLength = (value: Buffer): Buffer =>
  Buffer.concat([value.subarray(0, 1), Buffer.of(0x80), contentOf(value), Buffer.alloc(2)]);

/** A token whose octets of what it states are a value of two. */
export function inPieces(token: Buffer): Buffer {
  const [type, explicit] = partsOf(contentOf(token)) as [Buffer, Buffer];
  const signed = partsOf(contentOf(contentOf(explicit)));
  const [stated, tagged] = partsOf(contentOf(signed[2] as Buffer)) as [Buffer, Buffer];
  const octets = contentOf(contentOf(tagged));
  const pieces = der(0x24, der(4, octets.subarray(0, 9)), der(4, octets.subarray(9)));
  signed[2] = der(0x30, stated, der(0xa0, pieces));
  return der(0x30, type, der(0xa0, der(0x30, ...signed)));
}
