import type { Schemas } from '../../app/data';
import { useSite } from '../../app/site';
import { Badge, Link, type Tone } from '../../ui';
import { placeOf } from './places';
import style from './score.module.css';

type Check = Schemas['ComplianceCheck'];

const STATES: Record<Check['status'], readonly [Tone | 'neutral', string]> = {
  pass: ['good', '✓ Kept'],
  fail: ['bad', '✕ Not kept'],
  unknown: ['neutral', '? Not known'],
};

/** One check: its state, the findings, what to do and where, and the source of the rule. */
export function CheckRow({ check, points }: { check: Check; points: string }) {
  const { path } = useSite();
  const [tone, state] = STATES[check.status];
  const [place, action] = placeOf(check);
  return (
    <li className={style.check}>
      <div>
        <Badge tone={tone}>{state}</Badge>
      </div>
      <div className={style.checkBody}>
        <h3>{check.title}</h3>
        <p>
          <span className="muted">Found:</span> {check.evidence}
        </p>
        {check.remedy !== '' && (
          <p>
            <span className="muted">To do:</span> {check.remedy}{' '}
            <Link to={path(place)}>
              {action}
              <span className="visually-hidden"> for: {check.title}</span>
            </Link>
          </p>
        )}
        <p className="hint">
          {points} points · {check.legal_reference}
        </p>
      </div>
    </li>
  );
}
