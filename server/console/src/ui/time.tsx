import { useEffect, useState } from 'react';
import { Badge } from './badge';
import { dateTime, relative } from './format';
import { useZone } from './zone';

/** An instant in the site's time zone, with the zone's name. On hover: how long ago. */
export function Time({ at }: { at: string }) {
  const zone = useZone();
  return (
    <time dateTime={at} title={`${relative(at)} · ${at}`}>
      {dateTime(at, zone)}
    </time>
  );
}

/** The current time, updated every second while `running`. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}

const two = (value: number) => String(value).padStart(2, '0');

/** A duration as 71:59:04, without a sign. */
function clock(milliseconds: number): string {
  const seconds = Math.floor(Math.abs(milliseconds) / 1000);
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The same for screen readers, which announce it once a minute. */
function spoken(milliseconds: number): string {
  const minutes = Math.floor(Math.abs(milliseconds) / 60_000);
  return `${Math.floor(minutes / 60)} hours ${minutes % 60} minutes ${milliseconds < 0 ? 'overdue' : 'left'}`;
}

/**
 * A running countdown to a deadline. The last `warnWithin` milliseconds (default: a day) and overdue
 * deadlines stand out.
 */
export function Countdown({
  until,
  running = true,
  warnWithin = 86_400_000,
}: {
  until: string;
  running?: boolean;
  warnWithin?: number;
}) {
  const left = Date.parse(until) - useNow(running);
  const tone = left < 0 ? 'bad' : left < warnWithin ? 'warn' : 'neutral';
  return (
    <Badge tone={tone}>
      <span role="timer" aria-hidden="true">
        {clock(left)} {left < 0 ? 'overdue' : 'left'}
      </span>
      <span className="visually-hidden" aria-live="polite">
        {spoken(left)}
      </span>
    </Badge>
  );
}
