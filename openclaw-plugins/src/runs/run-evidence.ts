import type { NamedBy, RunEvidence } from "./run-record.ts";

const MAX_NAMED = 5000;
const MAX_TASKS = 200;

/** Adds named files to the evidence; ignores duplicates, and all files beyond MAX_NAMED. */
export function addNamed(evidence: RunEvidence, by: NamedBy, paths: readonly string[]): RunEvidence {
	const known = new Set(evidence.named.filter((named) => named.by === by).map(({ path }) => path));
	const fresh = [...new Set(paths)].filter((path) => !known.has(path)).map((path) => ({ path, by }));
	return fresh.length === 0 ? evidence : { ...evidence, named: [...evidence.named, ...fresh].slice(0, MAX_NAMED) };
}

/** Adds an id to a list, unless the list has it or is full. */
export function withOne(ids: readonly string[], id: string): string[] {
	return [...new Set([...ids, id])].slice(0, MAX_TASKS);
}
