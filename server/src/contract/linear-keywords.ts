import { _, type CodeKeywordDefinition, type KeywordCxt, type Name } from 'ajv';
import names from 'ajv/dist/compile/names';
import additionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties';
import items from 'ajv/dist/vocabularies/applicator/items2020';
import propertyNames from 'ajv/dist/vocabularies/applicator/propertyNames';
import format from 'ajv/dist/vocabularies/format/format';
import pattern from 'ajv/dist/vocabularies/validation/pattern';
import uniqueItems from 'ajv/dist/vocabularies/validation/uniqueItems';
import { MAX_ERRORS } from '../domain/errors';
import { findTwins } from './twins';

/**
 * Makes Ajv's keywords linear, for both validators of the contract at once. Ajv checks every item of a list
 * that is too long, matches texts of any length, copies all errors so far for each item that breaks a rule,
 * and compares each item of a unique list with every other. The validator of the other host builds its Ajv
 * itself, so that the definitions are changed, which every Ajv takes its keywords from. Why:
 * `docs/decisions/009-request-budget.md`.
 */
export function makeKeywordsLinear(): void {
  if (done) return;
  done = true;
  change(items, unlessLonger('maxItems'));
  change(uniqueItems, unlessLonger('maxItems'));
  change(pattern, unlessLonger('maxLength'));
  change(format, unlessLonger('maxLength'));
  for (const definition of [items, additionalProperties, propertyNames]) change(definition, boundErrors);
  uniqueItems.code = unlessLonger('maxItems')(reportTwins);
}

let done = false;
/** One more than an answer names, so that it can say that there are more. */
const MAX_LISTED = MAX_ERRORS + 1;

type Definition = CodeKeywordDefinition;
type Write = Definition['code'];

function change(definition: Definition, wrap: (write: Write) => Write): void {
  definition.code = wrap(definition.code);
}

/**
 * What is longer than it may be breaks that rule, which is told; its items or characters are not looked at.
 */
function unlessLonger(limit: 'maxItems' | 'maxLength'): (write: Write) => Write {
  return (write) => (cxt, ruleType) => {
    const most: number | undefined = cxt.parentSchema[limit];
    // Without allErrors the limit, which stands before, has ended the check.
    if (most === undefined || !cxt.it.allErrors || ruleType === 'number') return write(cxt, ruleType);
    // A character outside the basic plane counts once and is two long.
    const length = limit === 'maxLength' ? most * 2 : most;
    cxt.gen.if(_`${cxt.data}.length <= ${length}`, () => write(cxt, ruleType));
  };
}

/**
 * A loop over items or names ends when it has found so many errors; by its own count, so that an alternative
 * never seems to fit.
 */
function boundErrors(write: Write): Write {
  return (cxt, ruleType) => {
    if (!cxt.it.allErrors) return write(cxt, ruleType);
    const { gen } = cxt;
    const { forRange, forIn } = gen;
    const before = gen.const('before', names.errors);
    const restore = (): void => {
      gen.forRange = forRange;
      gen.forIn = forIn;
    };
    const bounded = (body: (at: Name) => void) => {
      // What is inside the loop has loops of its own.
      restore();
      return (at: Name): void => {
        gen.if(_`${names.errors} - ${before} >= ${MAX_LISTED}`, () => gen.break());
        body(at);
      };
    };
    gen.forRange = (name, from, to, body, kind) => forRange.call(gen, name, from, to, bounded(body), kind);
    gen.forIn = (name, object, body, kind) => forIn.call(gen, name, object, bounded(body), kind);
    write(cxt, ruleType);
    restore();
  };
}

function reportTwins(cxt: KeywordCxt): void {
  const { gen, data, schema } = cxt;
  if (!schema) return;
  const find = gen.scopeValue('func', { ref: findTwins });
  const twins = gen.const('twins', _`${find}(${data})`);
  cxt.setParams({ i: _`${twins}[1]`, j: _`${twins}[0]` });
  cxt.fail(_`${twins} !== undefined`);
}
