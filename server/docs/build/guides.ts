import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A guide's source: Markdown with a title, a description and an order. */
export interface Guide {
  /** The file's name without number and extension. */
  name: string;
  file: string;
  title: string;
  description: string;
  order: number;
  /** Words that readers may search for and the guide does not use. */
  also: string;
  markdown: string;
}

/**
 * All guides of a folder, in order. Throws an error with the file's name when its front matter is incomplete.
 */
export function readGuides(folder: string): Guide[] {
  return readdirSync(folder)
    .filter((file) => /^\d+-[a-z0-9-]+\.md$/.test(file))
    .map((file) => readGuide(file, readFileSync(join(folder, file), 'utf8')))
    .sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
}

function readGuide(file: string, text: string): Guide {
  const [, front, markdown] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text) ?? [];
  const { title, description, order, also = '' } = front === undefined ? {} : parse(front);
  if (
    typeof title !== 'string' ||
    typeof description !== 'string' ||
    typeof order !== 'number' ||
    typeof also !== 'string' ||
    markdown === undefined
  )
    throw new Error(`${file} must begin with ---, title, description, a number as order, and ---.`);
  return {
    name: file.replace(/^\d+-|\.md$/g, ''),
    file,
    title,
    description,
    order,
    also,
    markdown: markdown.trim(),
  };
}
