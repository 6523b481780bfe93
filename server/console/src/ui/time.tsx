import { useEffect, useState } from 'react';
import { Badge } from './badge';
import { dateTime, relative } from './format';
import { useZone } from './zone';

/** An instant by the site's clocks, with the zone; how long ago on hover. */
export function Time({ at }: { at: string }) {
  const zone = useZone();
  return (
    <time dateTime={at} title={`${relative(at)} · ${at}`}>
      {dateTime(at, zone)}
    </time>
  );
}

/** The present time, anew every second while somebody looks. */
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

/** 71:59:04, without a sign. */
function clock(milliseconds: number): string {
  const seconds = Math.floor(Math.abs(milliseconds) / 1000);
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The same for screen readers, which hear it once a minute. */
function spoken(milliseconds: number): string {
  const minutes = Math.floor(Math.abs(milliseconds) / 60_000);
  return `${Math.floor(minutes / 60)} hours ${minutes % 60} minutes ${milliseconds < 0 ? 'overdue' : 'left'}`;
}

/**
 * A running clock to a deadline; the last `warnWithin` milliseconds (default a day) and what is overdue stand
 * out.
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
