import type { CpuProfile } from "./inspector.ts";

/** Where a process spent its time, in microseconds by place. */
export type TimeByFolder = ReadonlyMap<string, number>;

/** The first that matches a function's file names its place. */
const places: readonly (readonly [RegExp, string])[] = [
	[/\/bridge\/src\/([a-z]+)\//, "bridge/$1"],
	[/\/bridge\/src\//, "bridge"],
	[/\/(contracts|platform)\/src\//, "$1"],
	[/\/node_modules\/zod\//, "zod"],
	[/\/node_modules\/@agentclientprotocol\//, "ACP SDK"],
	[/\/node_modules\/better-sqlite3\//, "SQLite driver"],
	[/\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/, "other libraries"],
	[/^node:(?:internal\/)?(?:streams|webstreams|stream|string_decoder)/, "streams"],
	[
		/^node:(?:internal\/)?(?:timers|process\/task_queues|process\/promises|async_hooks|abort_controller|event_target)/,
		"timers, promises, signals",
	],
	[/^node:(?:internal\/)?(?:fs|path)/, "file system"],
	[/^node:(?:_http|_tls|net|http|internal\/(?:http|net|stream_base))/, "node:http and sockets"],
	[/^node:/, "other parts of Node"],
];

/** V8's own entries that are not functions. */
const states: ReadonlyMap<string, string | undefined> = new Map([
	["(garbage collector)", "garbage collection"],
	["(program)", "kernel and native code"],
	["(root)", "kernel and native code"],
	["(idle)", undefined],
]);

/**
 * Self time by place. What is built into V8 or a native module (JSON, regular expressions, a statement of SQLite) counts for the file
 * that called it.
 */
export function timeByFolder({ nodes, samples, timeDeltas }: CpuProfile): TimeByFolder {
	const places = placesOf(nodes);
	const times = new Map<string, number>();
	for (const [index, id] of samples.entries()) {
		const place = places.get(id);
		if (place !== undefined) times.set(place, (times.get(place) ?? 0) + (timeDeltas[index] ?? 0));
	}
	return times;
}

function placesOf(nodes: CpuProfile["nodes"]): ReadonlyMap<number, string> {
	const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
	const found = new Map<number, string>();
	// Parents come before their children.
	for (const { id, callFrame } of nodes) {
		const { functionName, url } = callFrame;
		const place = states.has(functionName) ? states.get(functionName) : url === "" ? found.get(parents.get(id) ?? id) : placeOf(url);
		const known = place ?? (states.has(functionName) ? undefined : "kernel and native code");
		if (known !== undefined) found.set(id, known);
	}
	return found;
}

function placeOf(url: string): string {
	for (const [pattern, name] of places) {
		const match = pattern.exec(url);
		if (match !== null) return name.replace("$1", match[1] ?? "");
	}
	return "other code";
}
