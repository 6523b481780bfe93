import type { Context } from '../../context';
import type { DsarRow, EnvironmentRow } from '../../db/models';
import { ValidationError } from '../../domain/errors';
import type { DsarResolution } from '../../domain/types';
import { mailingOf } from './mailing-of';

/** Of these the person must be told the reasons (GDPR Art. 12(4)). */
const REASONED = new Set<DsarResolution>(['refused', 'partially_fulfilled']);

/** Throws `ValidationError` when a mail would tell a refusal without its reasons. */
export function checkReasons(
  { mail }: Pick<Context, 'mail'>,
  environment: EnvironmentRow,
  row: Pick<DsarRow, 'email' | 'disowned_at'>,
  { resolution, answer, mail: isWanted }: { resolution: DsarResolution; answer?: string; mail?: boolean },
): void {
  if (answer !== undefined || isWanted === false || !REASONED.has(resolution)) return;
  if (mailingOf(mail, environment, row) !== 'mailed') return;
  throw ValidationError.of(
    'body.answer',
    `is required for ${resolution} when it is mailed: the person must be told why (GDPR Art. 12(4))`,
    'required',
  );
}
