import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../server/src/config/paths';
import { withVariables } from './readme/table';

/** `npm run readme`: writes the README's table of variables. */
const file = join(ROOT, 'README.md');
writeFileSync(file, withVariables(readFileSync(file, 'utf8')));
