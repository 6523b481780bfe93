import type { CategoryChoices, Decision, RegionRule, VendorChoices } from '../domain/types';
import type { Results } from './group-queue';
import type { Session } from './session';
import { READ_CHOICES } from './statements';

/** The latest choice of a session. */
export interface Choice {
  session_id: string;
  decision: Decision;
  categories: CategoryChoices;
  policy_version: string;
  region: string | null;
  rule: RegionRule | null;
  vendors: VendorChoices | null;
  recorded_at: Date;
  expires_at: Date;
}

/** The session whose choice is requested. */
export interface Question {
  environmentId: string;
  sessionId: string;
}

/** Reads the choices that a group asks for, with one query for each environment. */
export async function readChoices(
  session: Session,
  questions: Question[],
): Promise<Results<Choice | undefined>> {
  const environments = new Map<string, Map<string, Choice | undefined>>();
  for (const { environmentId, sessionId } of questions) {
    const sessions = environments.get(environmentId);
    if (sessions === undefined) environments.set(environmentId, new Map([[sessionId, undefined]]));
    else sessions.set(sessionId, undefined);
  }
  const steps = [...environments].map(([environmentId, sessions]) => ({
    ...READ_CHOICES,
    values: [environmentId, `{${[...sessions.keys()]}}`],
  }));
  for (const [index, { rows }] of (await session.run(steps)).entries()) {
    const sessions = environments.get(steps[index]?.values[0] as string);
    for (const row of rows as Choice[]) sessions?.set(row.session_id, row);
  }
  return questions.map(({ environmentId, sessionId }) => environments.get(environmentId)?.get(sessionId));
}
