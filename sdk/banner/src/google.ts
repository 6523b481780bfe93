import type { GoogleConsentType } from './contract.js';
import { pushData } from './events.js';
import { denied } from './page.js';

const TYPES: GoogleConsentType[] = [
  'ad_storage',
  'ad_user_data',
  'ad_personalization',
  'analytics_storage',
  'functionality_storage',
  'personalization_storage',
  'security_storage',
];
/** How long Google's tags wait for an update, in milliseconds. */
const WAIT = 500;

/** Google's tags read an `arguments` object, not an array. */
function gtag(..._: unknown[]): void {
  // biome-ignore lint/complexity/noArguments: Google's tags require this object.
  pushData(arguments);
}

/** Google Consent Mode v2: `default` before any tag runs, `update` on every decision. */
export function signal(command: 'default' | 'update', allowed: (key: string) => boolean): void {
  // What the stub of a page has denied is updated, although the setting was turned off since.
  if (!config.google_consent_mode && !denied) return;
  const granted = config.categories.filter(({ key }) => allowed(key)).flatMap((one) => one.google_consent);
  const signals: Record<string, unknown> = Object.fromEntries(
    TYPES.map((type) => [type, granted.includes(type) ? 'granted' : 'denied']),
  );
  if (command === 'default') signals.wait_for_update = WAIT;
  gtag('consent', command, signals);
}
