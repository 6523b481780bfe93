import { inWords, kindInWords } from './rule-words';

/** What a validator found: a JSON pointer, the rule that is broken, and the validator's own words. */
export interface Finding {
  pointer: string;
  keyword: string;
  message: string;
}

/** Rules that a key can break. */
const KEY_RULES = ['pattern', 'minLength', 'maxLength', 'format'];

/**
 * What remains to be said where a validator tells of every alternative that it tried: of the one that the
 * value was meant to be what is wrong with it, or else what there is to choose from. A key that breaks a rule
 * is one finding too.
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
 * Takes away the findings at the end that fit. A validator tells what an alternative lacks right before it
 * tells that none fits.
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
