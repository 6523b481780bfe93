import { inWords, kindInWords } from './rule-words';

/** What a validator found: a JSON pointer, the rule that is broken, and the validator's own words. */
export interface Finding {
  pointer: string;
  keyword: string;
  message: string;
}

/** Rules that apply to keys. */
const KEY_RULES = ['pattern', 'minLength', 'maxLength', 'format'];

/**
 * Reduces the findings of a validator that reports every alternative it tried: to those of the intended
 * alternative if there is one, otherwise to the list of alternatives. A key that breaks a rule is a single
 * finding too.
 */
export function foldAlternatives(findings: readonly Finding[]): Finding[] {
  const folded: Finding[] = [];
  for (const finding of findings) {
    const { pointer, keyword } = finding;
    if (keyword === 'anyOf') {
      const tried = takeLast(folded, (one) => `${one.pointer}/`.startsWith(`${pointer}/`));
      folded.push(...describeChoice(tried, finding));
    } else if (keyword === 'propertyNames') {
      const rules = takeLast(folded, (one) => one.pointer === pointer && KEY_RULES.includes(one.keyword));
      const words = rules.map((rule) => inWords(rule.keyword, rule.message));
      folded.push({
        ...finding,
        message: `has a key that is not allowed: each ${[...new Set(words)].join(', and ')}`,
      });
    } else folded.push(finding);
  }
  return folded;
}

/**
 * Removes the matching findings at the end: a validator reports the errors of the alternatives right before
 * reporting that none matches.
 */
function takeLast(findings: Finding[], fits: (one: Finding) => boolean): Finding[] {
  const other = findings.findLastIndex((one) => !fits(one));
  return findings.splice(other + 1);
}

function describeChoice(tried: readonly Finding[], none: Finding): Finding[] {
  /** What the value would have to be for the alternatives whose kind it is not. */
  const kinds: string[] = [];
  const own: Finding[] = [];
  let before: Finding | undefined;
  for (const one of tried) {
    const here = one.pointer === none.pointer;
    if (here && one.keyword === 'type') kinds.push(kindInWords('type', one.message));
    // The values of a kind that was not met are told right after it, and say more.
    else if (here && one.keyword === 'enum' && before?.keyword === 'type' && before.pointer === one.pointer)
      kinds[kinds.length - 1] = kindInWords('enum', one.message);
    else own.push(one);
    before = one;
  }
  const [first, ...others] = own;
  const isChoice = first?.keyword === 'enum' && first.pointer === none.pointer && others.length === 0;
  if (first !== undefined && !isChoice) return own;
  const choices = isChoice ? [kindInWords(first.keyword, first.message), ...kinds] : kinds;
  return [{ ...none, message: `must be ${choices.join(' or ')}` }];
}
