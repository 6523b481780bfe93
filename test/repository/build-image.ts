import { spawnSync } from 'node:child_process';
import { constants, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { type Copy, DockerfileParser, type From, type Instruction } from 'dockerfile-ast';

/**
 * A stage as far as a machine without Docker can make it: its files in a folder, and what a container of it
 * is told.
 */
export interface Stage {
  /** The folder that stands for `/`. Nothing of the base image is in it. */
  root: string;
  base: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  /** Paths inside the image that its user owns. */
  owned: string[];
  healthcheck: string[];
  command: string[];
  volumes: string[];
}

/** Does something else than a command of RUN, in the folder in which the command would run. */
export type Instead = Record<string, (folder: string) => void>;

/** Executes the steps of a Dockerfile in folders below `folder`; returns its last stage. */
export function buildImage(context: string, folder: string, instead: Instead = {}): Stage {
  const dockerfile = DockerfileParser.parse(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const instruction of dockerfile.getInstructions()) {
    const name = instruction.getInstruction();
    if (name === 'FROM') {
      const from = instruction as From;
      stage = newStage(join(folder, String(stages.size)), from.getImage() ?? '');
      stages.set(from.getBuildStage() ?? String(stages.size), stage);
      continue;
    }
    const step = STEPS[name];
    if (step === undefined || stage === undefined)
      throw new Error(`The test knows no ${name}: teach it what it does.`);
    step(stage, instruction, { context, stages, instead });
  }
  if (stage === undefined) throw new Error('The Dockerfile has no stage.');
  return stage;
}

function newStage(root: string, base: string): Stage {
  mkdirSync(root, { recursive: true });
  return {
    ...{ root, base, workdir: '/', env: {}, user: 'root' },
    ...{ owned: [], healthcheck: [], command: [], volumes: [] },
  };
}

interface Build {
  context: string;
  stages: Map<string, Stage>;
  instead: Instead;
}

const wordsOf = (instruction: Instruction): string[] =>
  instruction.getArguments().map((argument) => argument.getValue());
/**
 * A program and its arguments, written as JSON. A line for a shell is refused: signals would end at the
 * shell.
 */
const listOf = (instruction: Instruction): string[] =>
  JSON.parse(/^(?:--\S+\s+)*(?:CMD\s+)?(\[.*\])$/s.exec(instruction.getArgumentsContent() ?? '')?.[1] ?? '');

const STEPS: Record<string, (stage: Stage, instruction: Instruction, build: Build) => void> = {
  WORKDIR: (stage, instruction) => {
    stage.workdir = wordsOf(instruction)[0] as string;
    mkdirSync(join(stage.root, stage.workdir), { recursive: true });
  },
  ENV: (stage, instruction) => {
    for (const word of wordsOf(instruction)) {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
      stage.env[name] = value;
    }
  },
  COPY: (stage, instruction, build) => copy(stage, instruction as Copy, build),
  RUN: (stage, instruction, { instead }) => {
    const command = wordsOf(instruction).join(' ');
    const cwd = join(stage.root, stage.workdir);
    const other = instead[command];
    if (other !== undefined) {
      other(cwd);
      return;
    }
    // What the machine has in its cache is not loaded again.
    const env = { ...process.env, ...stage.env, npm_config_prefer_offline: 'true' };
    const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], { cwd, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`RUN ${command} failed:\n${stdout}${stderr}`);
  },
  USER: (stage, instruction) => {
    stage.user = wordsOf(instruction)[0] as string;
  },
  VOLUME: (stage, instruction) => void stage.volumes.push(...wordsOf(instruction)),
  EXPOSE: () => undefined,
  HEALTHCHECK: (stage, instruction) => {
    stage.healthcheck = listOf(instruction);
  },
  CMD: (stage, instruction) => {
    stage.command = listOf(instruction);
  },
};

function copy(stage: Stage, instruction: Copy, { context, stages }: Build): void {
  const flags = new Map(instruction.getFlags().map((flag) => [flag.getName(), flag.getValue()]));
  const words = wordsOf(instruction);
  const target = words.pop() as string;
  const place = target.startsWith('/') ? target : join(stage.workdir, target);
  const from = flags.get('from');
  const source = from === undefined || from === null ? undefined : stages.get(from);
  if (from !== undefined && source === undefined) throw new Error(`No stage is called ${from}.`);
  const isIn = source === undefined ? contextFilter(context) : () => true;
  for (const word of words) {
    const path = join(source?.root ?? context, word);
    if (!isIn(path)) throw new Error(`${word} is left out by .dockerignore.`);
    // Of a folder the contents are copied; a slash at the end of the target names a folder for a file.
    const to = target.endsWith('/') && !statSync(path).isDirectory() ? join(place, basename(word)) : place;
    cpSync(path, join(stage.root, to), {
      ...{ recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE },
      filter: (file) => isIn(file),
    });
  }
  if (flags.has('chown')) stage.owned.push(place);
}

/** What of the context reaches the builder. */
export function contextFilter(context: string): (path: string) => boolean {
  const ignore = dockerignore().add(readFileSync(join(context, '.dockerignore'), 'utf8'));
  return (path) => {
    const name = relative(context, path);
    return name === '' || !ignore.ignores(name);
  };
}
