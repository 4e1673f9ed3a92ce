import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";
import { loadedModules } from "./syntax.ts";

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Circles among runtime imports, as `a -> b -> a`: between files, and between folders of one package's `src`. Type imports are erased and
 * do not count.
 */
export function importCircles(files: readonly SourceFile[]): string[] {
	const sources = files.filter(({ path }) => /^[\w-]+\/src\//.test(path));
	const arrows = sources.flatMap((file) =>
		loadedModules(file)
			.filter((module) => module.startsWith("."))
			.map((module): [string, string] => [file.path, posix.normalize(posix.join(posix.dirname(file.path), module))]),
	);
	const folders = arrows.map(([from, to]): [string, string] => [posix.dirname(from), posix.dirname(to)]);
	return [...circlesOf(graphOf(arrows)), ...circlesOf(graphOf(folders))];
}

function graphOf(arrows: readonly (readonly [string, string])[]): Graph {
	const graph = new Map<string, Set<string>>();
	for (const [from, to] of arrows) {
		if (from === to) continue;
		const targets = graph.get(from) ?? new Set();
		graph.set(from, targets.add(to));
	}
	return graph;
}

/** One circle for every edge that leads back to the current path. */
function circlesOf(graph: Graph): string[] {
	const circles: string[] = [];
	const walked = new Set<string>();
	const walk = (name: string, way: readonly string[]): void => {
		const back = way.indexOf(name);
		if (back !== -1) circles.push([...way.slice(back), name].join(" -> "));
		if (walked.has(name)) return;
		walked.add(name);
		for (const target of graph.get(name) ?? []) walk(target, [...way, name]);
	};
	for (const name of graph.keys()) walk(name, []);
	return circles;
}
