import { toList } from '../../app/lists';
import type { Problems } from '../../ui';

/** The domain in pasted text: `https://www.example.com/path` → www.example.com. */
export function toDomain(text: string): string {
  const typed = text.trim();
  if (!/[/:]/.test(typed)) return typed;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  return (URL.canParse(address) && new URL(address).hostname) || typed;
}

/** The domains in a pasted list. */
export const toDomains = (text: string): string => toList(text).map(toDomain).join(', ');

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether the server accepts the name; international names are checked in their encoded form. */
function isDomain(name: string): boolean {
  if (/\s/.test(name) || !URL.canParse(`https://${name}`)) return false;
  const labels = new URL(`https://${name}`).hostname.replace(/\.$/, '').split('.');
  return labels.every((label) => LABEL.test(label)) && (labels.length > 1 || labels[0] === 'localhost');
}

const RULE = 'must be a domain name such as www.example.com.';

/**
 * Problems of the first step, found before the second is shown; the request is sent only after the last step.
 */
export function problemsOf({
  name,
  domain,
  domains,
}: Record<'name' | 'domain' | 'domains', string>): Problems {
  const [own, others] = [toDomain(domain), toList(domains).map(toDomain)];
  const wrong = others.filter((one) => !isDomain(one));
  return {
    ...(name.trim() === '' && { name: ['Give the site a name.'] }),
    ...(own === '' && { domain: ['Give the domain of the site.'] }),
    ...(own !== '' && !isDomain(own) && { domain: [`Must${RULE.slice(4)}`] }),
    ...(wrong.length > 0 && { domains: wrong.map((one) => `“${one}” ${RULE}`) }),
  };
}
