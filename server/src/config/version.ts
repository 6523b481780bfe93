import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths';

/** The version of this program. */
export const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};
