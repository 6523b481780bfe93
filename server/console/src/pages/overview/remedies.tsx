import type { Schemas } from '../../app/data';
import { useSite } from '../../app/site';
import { ButtonLink, Card, Link } from '../../ui';
import { advice, worth } from '../score/advice';
import { GRADE_TONES } from '../score/grades';
import { placeOf } from '../score/places';
import style from './overview.module.css';

const COLOURS = { good: style.good, warn: style.warn, bad: style.bad };

/** The number of remedies shown here; the score's page has all of them. */
const SHOWN = 3;

/** The compliance score with the three most useful remedies. */
export function Remedies({ score }: { score: Schemas['ComplianceScore'] }) {
  const { path } = useSite();
  const remedies = advice(score).slice(0, SHOWN);
  const isPerfect = score.checks.every(({ status }) => status === 'pass');
  return (
    <Card
      title="Compliance score"
      actions={
        <ButtonLink small to={path('score')}>
          All checks
        </ButtonLink>
      }
    >
      <div className={style.score}>
        <p className={`${style.grade} ${COLOURS[GRADE_TONES[score.grade]]}`}>
          <span className={style.gradeLetter}>{score.grade}</span>
          <span>
            {score.score}
            <span className="muted"> of 100</span>
          </span>
        </p>
        {remedies.length === 0 ? (
          <p>
            {isPerfect
              ? 'Every check passes.'
              : 'There is nothing left that you could do to raise the score.'}
          </p>
        ) : (
          <ol className={style.remedies}>
            {remedies.map((check) => (
              <Remedy key={check.id} check={check} points={worth(check, score)} />
            ))}
          </ol>
        )}
      </div>
    </Card>
  );
}

/** A remedy, with a link to its page. */
function Remedy({ check, points }: { check: Schemas['ComplianceCheck']; points: string }) {
  const { path } = useSite();
  const [place, action] = placeOf(check);
  return (
    <li>
      <strong>{check.title}</strong> <span className="muted">+{points} points</span>
      <p>
        {check.remedy}{' '}
        <Link to={path(place)}>
          {action}
          <span className="visually-hidden"> for: {check.title}</span>
        </Link>
      </p>
      <p className="hint">{check.legal_reference}</p>
    </li>
  );
}
