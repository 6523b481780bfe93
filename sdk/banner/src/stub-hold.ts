import { guardPage } from './hold/install.js';
import { own } from './own.js';
import type { Existing } from './page.js';

/**
 * Behind the other stub, where the site blocks what nobody has marked up: the rules of the bundle that the snippet is of.
 * The script brings those of the present one.
 */
const queue = own<Existing>(window, 'Avow');
if (Array.isArray(queue) && !own(queue, 'hold')) queue.hold = guardPage(rules);
