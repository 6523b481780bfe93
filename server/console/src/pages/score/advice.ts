import { keys, type Schemas, useAnswer } from '../../app/data';
import { useSite } from '../../app/site';

type Score = Schemas['ComplianceScore'];
type Check = Schemas['ComplianceCheck'];

/** The score of the site; all pages that show it share one request. */
export const useScore = () => {
  const { token } = useSite();
  return useAnswer(keys.site(token, 'compliance-score'), (api, signal) =>
    api.getComplianceScore({ token }, { signal }),
  );
};

/** The number of points that a check is worth, as text. */
export function worth(check: Check, { checks }: Score): string {
  const total = checks.reduce((sum, { weight }) => sum + weight, 0);
  return ((100 * check.weight) / total).toFixed(1);
}

/** The checks with one state, heaviest weight first. */
export const checksOf = ({ checks }: Score, state: Check['status']): Check[] =>
  checks.filter(({ status }) => status === state).sort((a, b) => b.weight - a.weight);

/**
 * The checks that can improve the score, in the order of the score's page: failed ones, then unknown ones.
 */
export const advice = (score: Score): Check[] =>
  [...checksOf(score, 'fail'), ...checksOf(score, 'unknown')].filter(
    ({ remedy }) => remedy !== '' && !remedy.startsWith('Nothing to do'),
  );
