import { createHash, createVerify, type KeyLike } from 'node:crypto';

const CRLF = '\r\n';

/** The header fields of a mail with their folded values, and its body. */
function apart(raw: string): { fields: { name: string; value: string }[]; body: string } {
  const end = raw.indexOf(CRLF + CRLF);
  const fields = raw
    .slice(0, end)
    .split(/\r\n(?![ \t])/)
    .map((line) => ({ name: line.slice(0, line.indexOf(':')), value: line.slice(line.indexOf(':') + 1) }));
  return { fields, body: raw.slice(end + 4) };
}

/** The canonicalization `relaxed` of a field (RFC 6376 §3.4.2). */
const relaxedField = ({ name, value }: { name: string; value: string }): string =>
  `${name.trim().toLowerCase()}:${value
    .replaceAll(CRLF, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;

/** The canonicalization `relaxed` of a body (§3.4.4). */
function relaxedBody(body: string): string {
  const lines = body.split(CRLF).map((line) => line.replace(/[ \t]+/g, ' ').trimEnd());
  while (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? '' : lines.join(CRLF) + CRLF;
}

/** What a mail's one signature says, and whether it holds (§6.1.3). */
export function readSignature(raw: string, publicKey: KeyLike) {
  const { fields, body } = apart(raw);
  const signatures = fields.filter(({ name }) => name.toLowerCase() === 'dkim-signature');
  const [signature] = signatures;
  if (signature === undefined || signatures.length > 1)
    throw new Error(`${signatures.length} signatures instead of one`);
  const tags = Object.fromEntries(
    signature.value.split(';').map((tag) => {
      const at = tag.indexOf('=');
      return [tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s+/g, '')];
    }),
  );
  const left = fields.filter((field) => field !== signature);
  const signed = (tags.h ?? '').split(':').flatMap((name) => {
    // The last of a name comes first.
    const at = left.findLastIndex((field) => field.name.toLowerCase() === name.toLowerCase());
    return at === -1 ? [] : left.splice(at, 1);
  });
  const unsigned = { ...signature, value: signature.value.replace(/(\bb=)[^;]*/, '$1') };
  const text = [...signed.map(relaxedField), relaxedField(unsigned)].join(CRLF);
  return {
    tags,
    signed: signed.map(({ name }) => name.toLowerCase()),
    bodyHolds: createHash('sha256').update(relaxedBody(body)).digest('base64') === tags.bh,
    headerHolds: createVerify('RSA-SHA256')
      .update(text)
      .verify(publicKey, tags.b ?? '', 'base64'),
  };
}
