import { dayIn, mailTexts } from '../mail/texts';
import type { DsarType } from '../types';

/** What a template can name, as the contract lists it. */
export const PLACEHOLDERS: readonly string[] = [
  ...['site', 'controller', 'name', 'type', 'reference', 'received', 'due', 'today'],
];
/** Placeholders in one template, so that a filled text stays within the bound of an answer. */
export const MOST_PLACEHOLDERS = 20;
/** Characters of what is filled in. */
const MOST_VALUE = 200;

const PLACEHOLDER = /\{(\w{1,50})\}/g;

/** The placeholders of a text, each as often as it stands there. */
export const placeholdersIn = (text: string): string[] =>
  [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);

/** What is known of a request. */
export interface AnsweredRequest {
  request_id: string;
  request_type: DsarType;
  name: string | null;
  /** The day it was received, where a member recorded it: `2026-11-21`. */
  received_on: string | null;
  created_at: Date;
  deadline: Date;
}

/** What is known of the site. */
export interface AnsweringSite {
  name: string;
  controller: string | undefined;
  time_zone: string;
}

/** A text with its placeholders filled, as plain text in one pass: what is filled in is not looked at again. */
export function fillAnswer(
  text: string,
  language: string,
  { request, site, now }: { request: AnsweredRequest; site: AnsweringSite; now: Date },
): { text: string; missing: string[] } {
  const { language: known, texts } = mailTexts(language);
  const day = (at: Date, zone = site.time_zone): string => dayIn(known, zone, at);
  const received =
    request.received_on === null
      ? day(request.created_at)
      : day(new Date(`${request.received_on}T00:00:00.000Z`), 'UTC');
  const values: Record<string, string> = {
    ...{ site: site.name, controller: site.controller || site.name, name: request.name ?? '' },
    ...{ type: texts.types[request.request_type], reference: request.request_id, received },
    ...{ due: day(request.deadline), today: day(now) },
  };
  const missing = new Set<string>();
  const filled = text.replace(PLACEHOLDER, (gap, name: string) => {
    if (!Object.hasOwn(values, name)) return gap;
    const value = inOneLine(values[name] ?? '');
    if (value === '') missing.add(name);
    return value;
  });
  return { text: filled, missing: [...missing] };
}

/** What a stranger wrote adds no lines of its own, and turns no direction. */
const inOneLine = (value: string): string =>
  value
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .trim()
    .slice(0, MOST_VALUE)
    .toWellFormed();
