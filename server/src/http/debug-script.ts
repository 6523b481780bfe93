import { join } from 'node:path';
import { ROOT } from '../config/paths';
import type { BuiltFile } from './built-file';

/** `/debug.js`: the diagnostics view, which a person loads into a page of a site; the same for every site. */
export const DEBUG_SCRIPT: BuiltFile = {
  path: '/debug.js',
  name: 'debug',
  what: 'script',
  file: join(ROOT, 'dist', 'banner', 'debug.js'),
  contentType: 'text/javascript; charset=utf-8',
  // A page of a site loads it as a module.
  open: true,
};
