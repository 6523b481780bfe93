export type Device = 'desktop' | 'mobile' | 'tablet' | 'bot' | 'unknown';

/** The class of device that a User-Agent header speaks of; coarse on purpose, for counts only. */
export function deviceClass(userAgent: string | undefined): Device {
  if (!userAgent) return 'unknown';
  if (/bot\b|crawl|spider|slurp|headless/i.test(userAgent)) return 'bot';
  if (/iPad|Tablet|PlayBook|Silk|Android(?!.*Mobile)/i.test(userAgent)) return 'tablet';
  if (/Mobi|iPhone|iPod|Android/i.test(userAgent)) return 'mobile';
  if (/Windows|Macintosh|X11|Linux|CrOS/i.test(userAgent)) return 'desktop';
  return 'unknown';
}
