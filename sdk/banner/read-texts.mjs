// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The language that defines which texts exist. */
const MODEL = 'en';

/**
 * The built-in texts by language, complete: a text that is missing, or has lost its placeholder, stops the
 * build.
 * @param {string} folder
 * @returns {Record<string, Record<string, unknown>>}
 */
export function readTexts(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const entries = files.sort().map((name) => {
    const texts = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return /** @type {const} */ ([name.slice(0, -'.json'.length), texts]);
  });
  const all = Object.fromEntries(entries);
  for (const [language, texts] of entries) check(all[MODEL], texts, language);
  return all;
}

/**
 * @param {any} model
 * @param {any} texts
 * @param {string} place
 */
function check(model, texts, place) {
  for (const key of new Set([...Object.keys(model), ...Object.keys(texts)])) {
    const [wanted, found] = [model[key], texts[key]];
    const where = `sdk/banner/texts: ${place}.${key}`;
    if (typeof wanted !== typeof found)
      throw new Error(`${where} is ${found === undefined ? 'missing' : 'unknown or of another kind'}.`);
    if (typeof wanted === 'object') check(wanted, found, `${place}.${key}`);
    else if (found.trim() === '') throw new Error(`${where} is empty.`);
    else
      for (const [mark] of wanted.matchAll(/\{\w+\}/g))
        if (!found.includes(mark)) throw new Error(`${where} must keep ${mark}.`);
  }
}
