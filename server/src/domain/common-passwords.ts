import { dictionary } from '@zxcvbn-ts/language-common';

let list: ReadonlySet<string> | undefined;

/** The 49,000 most common passwords of zxcvbn, in lower case; read when the first password is chosen. */
const common = (): ReadonlySet<string> => {
  list ??= new Set(dictionary['passwords-common'].map((text) => text.toLowerCase()));
  return list;
};

/**
 * Whether a password is easy to guess (NIST SP 800-63B §3.1.1.2): a common one, alone, repeated, or with
 * digits and punctuation around it; a repetition or an alphabetic sequence; or one of the words in `about`,
 * which describe its owner. There are no composition rules.
 */
export function isCommonPassword(password: string, about: readonly string[] = []): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const known = new Set(about.map((one) => one.toLowerCase()));
  const isKnown = (part: string): boolean => common().has(part) || known.has(part);
  const core = coreOf(text);
  const unit = unitOf(text);
  // A common word inside a long, otherwise different text does not make it guessable.
  const isMostly = core.length * 2 >= text.length;
  return isKnown(text) || (isMostly && isKnown(core)) || unit.length <= 4 || isKnown(unit) || isRow(text);
}

const isLetter = (char: string | undefined): boolean =>
  char !== undefined && char.toLowerCase() !== char.toUpperCase();

/** The text without digits and punctuation around it. */
function coreOf(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && !isLetter(text[start])) start += 1;
  while (end > start && !isLetter(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/** The shortest text that the whole is a repetition of. */
function unitOf(text: string): string {
  for (let length = 1; length * 2 <= text.length; length += 1) {
    const unit = text.slice(0, length);
    if (text.length % length === 0 && unit.repeat(text.length / length) === text) return unit;
  }
  return text;
}

/** Whether each character follows the one before it, forwards or backwards; 0 follows 9. */
function isRow(text: string): boolean {
  const codes = [...text].map((char) => char.charCodeAt(0));
  const steps = codes.slice(1).map((code, index) => code - (codes[index] as number));
  const isStep = (step: number, by: number): boolean => step === by || step === -9 * by;
  return steps.every((step) => isStep(step, 1)) || steps.every((step) => isStep(step, -1));
}
