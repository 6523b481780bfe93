import { _, type CodeKeywordDefinition, type KeywordCxt, type Name } from 'ajv';
import names from 'ajv/dist/compile/names';
import additionalProperties from 'ajv/dist/vocabularies/applicator/additionalProperties';
import items from 'ajv/dist/vocabularies/applicator/items2020';
import propertyNames from 'ajv/dist/vocabularies/applicator/propertyNames';
import format from 'ajv/dist/vocabularies/format/format';
import pattern from 'ajv/dist/vocabularies/validation/pattern';
import uniqueItems from 'ajv/dist/vocabularies/validation/uniqueItems';
import { MAX_ERRORS } from '../domain/errors';
import { findDuplicates } from './duplicates';

/**
 * Makes Ajv's keywords run in linear time, for both validators of the contract. By default Ajv checks every
 * item of a list that is too long, matches strings of any length, copies all previous errors for each invalid
 * item, and compares each item of a unique list with every other. express-openapi-validator creates its own
 * Ajv, so the shared keyword definitions are changed. Why: `docs/decisions/009-request-budget.md`.
 */
export function makeKeywordsLinear(): void {
  if (done) return;
  done = true;
  change(items, unlessLonger('maxItems'));
  change(uniqueItems, unlessLonger('maxItems'));
  change(pattern, unlessLonger('maxLength'));
  change(format, unlessLonger('maxLength'));
  for (const definition of [items, additionalProperties, propertyNames]) change(definition, boundErrors);
  uniqueItems.code = unlessLonger('maxItems')(reportDuplicates);
}

let done = false;
/** One more than an answer lists, so that it can say that there are more. */
const MAX_LISTED = MAX_ERRORS + 1;

type Definition = CodeKeywordDefinition;
type Write = Definition['code'];

function change(definition: Definition, wrap: (write: Write) => Write): void {
  definition.code = wrap(definition.code);
}

/** A value that is too long is reported as such; its items or characters are not checked. */
function unlessLonger(limit: 'maxItems' | 'maxLength'): (write: Write) => Write {
  return (write) => (cxt, ruleType) => {
    const most: number | undefined = cxt.parentSchema[limit];
    // Without allErrors, the length limit has already ended the check.
    if (most === undefined || !cxt.it.allErrors || ruleType === 'number') return write(cxt, ruleType);
    // A character outside the basic plane counts as one but has a length of two.
    const length = limit === 'maxLength' ? most * 2 : most;
    cxt.gen.if(_`${cxt.data}.length <= ${length}`, () => write(cxt, ruleType));
  };
}

/**
 * Ends a loop over items or names after this many errors. Each loop has its own count, so that an alternative
 * never seems to match.
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
      // Nested loops are handled the same way.
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

function reportDuplicates(cxt: KeywordCxt): void {
  const { gen, data, schema } = cxt;
  if (!schema) return;
  const find = gen.scopeValue('func', { ref: findDuplicates });
  const duplicates = gen.const('duplicates', _`${find}(${data})`);
  cxt.setParams({ i: _`${duplicates}[1]`, j: _`${duplicates}[0]` });
  cxt.fail(_`${duplicates} !== undefined`);
}
