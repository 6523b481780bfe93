import { ValidationError } from '../errors';
import type { BundleTexts } from '../types';

const KIB = 1024;
/**
 * KiB of the texts of a bundle in all its languages, as scripts hold them. In any script, 60 languages with ten
 * categories of 300 characters take some 900.
 */
const MOST = 1024;

/** Bytes of one text in a script: UTF-8, with what JSON and `inScript` escape. */
export function bytesInScript(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const size = sizeOf(text.codePointAt(at) as number);
    bytes += size;
    // Two units, which are four bytes.
    if (size === 4) at += 1;
  }
  return bytes;
}

function sizeOf(code: number): 1 | 2 | 3 | 4 | 6 {
  if (code === 0x22 || code === 0x5c) return 2;
  if (code === 0x3c || code === 0x3e) return 6;
  if (code < 0x20) return code >= 0x08 && code <= 0x0d && code !== 0x0b ? 2 : 6;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code > 0xffff) return 4;
  // Ends of lines, and halves of characters.
  return code === 0x2028 || code === 0x2029 || (code >= 0xd800 && code <= 0xdfff) ? 6 : 3;
}

/**
 * Throws `ValidationError` for texts that are too long together: a category's texts, and those of `de` for `de-AT`, are
 * sent once and are in the bundle once for each language. Counts and makes nothing; yields after each language. The
 * framework's own texts, which nobody sends, are left out.
 */
export function* refuseMuchText(texts: Readonly<Record<string, BundleTexts>>): Generator<void, void> {
  let bytes = 0;
  for (const { tcf: _, categories, ...others } of Object.values(texts)) {
    for (const text of Object.values(others)) bytes += bytesInScript(text);
    for (const { name, description } of Object.values(categories))
      bytes += bytesInScript(name) + bytesInScript(description);
    if (bytes > MOST * KIB) throw tooMuch(Object.keys(texts).length);
    yield;
  }
}

const tooMuch = (languages: number): ValidationError =>
  ValidationError.of(
    'body.settings',
    `has more than ${MOST} KiB of texts in its ${languages} languages together, as scripts hold them: leave languages out, shorten the texts of categories, or have fewer categories`,
    'too_large',
  );
