import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../config/paths';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is free-form JSON
export type Json = any;

const read = (name: string): string => readFileSync(join(ROOT, 'spec', 'generated', name), 'utf8');
let document: Json;

/** The contract's OpenAPI document, read once. */
export function contractDocument(): Json {
  document ??= JSON.parse(read('openapi.json'));
  return document;
}

/** The same as YAML, for people. */
export const contractYaml = (): string => read('openapi.yaml');

/** Follows a `$ref` inside a document; anything else is returned as it is. */
export function resolveIn(whole: Json, node: Json): Json {
  if (node?.$ref === undefined) return node;
  const keys: string[] = node.$ref.slice(2).split('/');
  return keys.reduce((at, key) => at[key.replaceAll('~1', '/').replaceAll('~0', '~')], whole);
}

/** Follows a `$ref` inside the contract's document. */
export const resolve = (node: Json): Json => resolveIn(contractDocument(), node);
