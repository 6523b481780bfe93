/** What is there is not as it has to be. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** One element of DER (X.690): its tag, and its content. */
export interface Element {
  tag: number;
  content: Buffer;
}

/** The elements that stand one after the other. Throws `Unreadable`, also for a length that is not told first. */
export function* elementsOf(bytes: Buffer): Generator<Element> {
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes.readUInt8(at);
    const first = bytes[at + 1] ?? 0x80;
    const more = first > 0x80 ? first & 0x7f : 0;
    const start = at + 2 + more;
    // Tags of several bytes are in no certificate.
    if ((tag & 0x1f) === 0x1f || first === 0x80 || more > 3 || start > bytes.length) throw new Unreadable();
    const end = start + (more === 0 ? first : bytes.readUIntBE(at + 2, more));
    if (end > bytes.length) throw new Unreadable();
    yield { tag, content: bytes.subarray(start, end) };
    at = end;
  }
}

/** The contents of the first elements, which have these tags. Throws `Unreadable`. */
export function contentsOf(bytes: Buffer, ...tags: number[]): Buffer[] {
  const found: Buffer[] = [];
  for (const { tag, content } of elementsOf(bytes)) {
    if (tag !== tags[found.length]) throw new Unreadable();
    found.push(content);
    if (found.length === tags.length) return found;
  }
  throw new Unreadable();
}

/** The only element, which has this tag. Throws `Unreadable`. */
export function contentOf(bytes: Buffer, tag: number): Buffer {
  const [first, ...others] = elementsOf(bytes);
  if (first?.tag !== tag || others.length > 0) throw new Unreadable();
  return first.content;
}
