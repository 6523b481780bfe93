import { ValidationError } from '../domain/errors';
import { isLaxer, ruleIn } from '../domain/regions/rules';
import type { StatedDecision } from './decision';
import type { Site } from './site';

/**
 * A program may not state a rule that lets the site do more than its settings do in that region. The banner's own word
 * is taken as it comes: what is refused is forgotten by browsers, and may be a withdrawal; its bundle tells whether it
 * was true. Throws `ValidationError`.
 */
export function refuseLaxerRule(
  { regions }: Site,
  { region, rule, bundle_hash }: Pick<StatedDecision, 'region' | 'rule' | 'bundle_hash'>,
): void {
  if (rule === undefined || bundle_hash !== undefined) return;
  const due = regions === undefined ? 'opt_in' : ruleIn(regions, region);
  if (!isLaxer(rule, due)) return;
  const where = region === undefined ? 'a region that is not known' : region;
  throw ValidationError.of(
    'body.rule',
    `is laxer than the site's rule for ${where}, which is ${due}: apply that, or change settings.regions`,
    'region_rule',
  );
}
