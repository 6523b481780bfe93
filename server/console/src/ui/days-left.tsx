import { useEffect, useState } from 'react';
import { Badge } from './badge';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The current time, updated every minute. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const amount = (value: number, unit: string): string => `${value} ${unit}${value === 1 ? '' : 's'}`;

function span(milliseconds: number): string {
  const whole = Math.abs(milliseconds);
  if (whole >= 2 * DAY) return amount(Math.floor(whole / DAY), 'day');
  if (whole >= HOUR) return amount(Math.floor(whole / HOUR), 'hour');
  return amount(Math.floor(whole / 60_000), 'minute');
}

/** The time left until a deadline that is days away. The last week and overdue deadlines stand out. */
export function DaysLeft({ until }: { until: string }) {
  const left = Date.parse(until) - useMinute();
  return (
    <Badge tone={left < 0 ? 'bad' : left < 7 * DAY ? 'warn' : 'neutral'}>
      {span(left)} {left < 0 ? 'overdue' : 'left'}
    </Badge>
  );
}
