import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Page, readMarkdown, type Sample } from '../helpers/docs/markdown';

export const FOLDER = join(__dirname, '..', '..', 'server', 'docs', 'guides');

/** A guide, taken apart. */
export interface Guide extends Page {
  file: string;
  front: Record<string, unknown>;
  text: string;
}

export const guides: Guide[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map(readGuide);

function readGuide(file: string): Guide {
  const whole = readFileSync(join(FOLDER, file), 'utf8');
  const [ahead = '', front = '', text = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(whole) ?? [];
  const firstLine = ahead.slice(0, ahead.length - text.length).split('\n').length - 1;
  return { file, front: parse(front) ?? {}, text, ...readMarkdown(text, firstLine) };
}

/** A sample with the place where it stands, which names its test. */
export interface PlacedSample extends Sample {
  place: string;
}

/** The samples of all guides in a language. */
export const samplesIn = (language: string): PlacedSample[] =>
  guides.flatMap(({ file, samples }) =>
    samples
      .filter((sample) => sample.language === language)
      .map((sample) => ({ ...sample, place: `${file}:${sample.line}` })),
  );
