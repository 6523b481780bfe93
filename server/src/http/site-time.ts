import { startOfDay } from '../domain/calendar';
import { type FieldError, ValidationError } from '../domain/errors';

const DAY = /^(\d{4}-\d\d-\d\d)/;

/**
 * Converts the days that bound a range to instants: the first moment in the site's time zone. Handlers only
 * see instants. Throws `ValidationError` for days that do not exist, such as 30 February.
 */
export function readSiteTimes(
  query: Record<string, unknown>,
  names: readonly string[],
  zone: string,
): Record<string, unknown> {
  if (!names.some((name) => query[name] !== undefined)) return query;
  const read = { ...query };
  const errors: FieldError[] = [];
  for (const name of names) {
    const text = query[name];
    if (typeof text !== 'string') continue;
    const [day = ''] = DAY.exec(text) ?? [];
    if (!exists(day))
      errors.push({
        path: `query.${name}`,
        message: `names the day ${day}, which does not exist`,
        code: 'format',
      });
    else if (text === day) read[name] = new Date(startOfDay(zone, day)).toISOString();
  }
  if (errors.length > 0) throw new ValidationError(errors);
  return read;
}

const exists = (day: string): boolean => {
  const at = Date.parse(`${day}T00:00:00.000Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
};
