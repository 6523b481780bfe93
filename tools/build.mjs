// @ts-check
// `npm run build`: installs and builds what is missing or stale, without starting anything.
import { prepare } from './prepare.mjs';

prepare();
