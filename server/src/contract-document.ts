import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is free-form JSON
export type Json = any;

let document: Json;

/** The contract's OpenAPI document, read once. */
export function contractDocument(): Json {
  document ??= JSON.parse(readFileSync(join(ROOT, 'spec', 'generated', 'openapi.json'), 'utf8'));
  return document;
}
