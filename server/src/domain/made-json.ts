/** The JSON of a value that was made piece by piece, to be sent as a whole. */
export class MadeJson<Value> {
  /** Never set: lets the compiler tell the types of answers apart. */
  declare readonly value: Value;

  constructor(readonly bytes: readonly Buffer[]) {}
}

/** Characters that become bytes at once. */
const PIECE = 65_536;

/** Puts the JSON of a value together from its parts; yields after each. */
export function* makeJson<Value>(parts: Iterable<string>): Generator<undefined, MadeJson<Value>> {
  const bytes: Buffer[] = [];
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length >= PIECE) {
      bytes.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  bytes.push(Buffer.from(text));
  return new MadeJson(bytes);
}
