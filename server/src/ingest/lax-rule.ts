import { ValidationError } from '../domain/errors';
import { dueRule, isLaxer } from '../domain/regions/rules';
import type { Asked } from './asked';
import type { StatedDecision } from './decision';
import type { Site } from './site';

/**
 * A program may not state a rule that lets the site do more than its settings do in that region, unless it names a
 * bundle of the site: that tells whether it was true, and anybody can make up the hash of another. The banner's own word
 * is taken as it comes: what is refused is forgotten by browsers, and may be a withdrawal. Throws `ValidationError`.
 */
export function refuseLaxerRule(
  { regions }: Site,
  { region, rule, bundle_hash }: Pick<StatedDecision, 'region' | 'rule' | 'bundle_hash'>,
  { isNamed }: Asked,
): void {
  if (rule === undefined || (bundle_hash !== undefined && isNamed)) return;
  const due = dueRule(regions, region);
  if (!isLaxer(rule, due)) return;
  const where = region === undefined ? 'a region that is not known' : region;
  throw ValidationError.of(
    'body.rule',
    `is laxer than the site's rule for ${where}, which is ${due}: apply that, or change settings.regions`,
    'region_rule',
  );
}
